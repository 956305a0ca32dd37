import type { Random } from '../simulation/random.ts'
import type { RequestMaker } from './generate-requests.ts'
import { type CardProvider, type CardsMood, cardProviders, type Request, type Step } from './steps.ts'
import { check, open, page, pay, type Story, soon, untilFinal, wait } from './story.ts'

type CardStep = Extract<Step, { do: 'pay-card' }>
type StorySteps = ReturnType<Story>

/** Prices high enough for payments by card. */
const prices = [
  ['USD', '25.00'],
  ['USD', '140.05'],
  ['EUR', '33.33'],
  ['EUR', '7.01'],
  ['JPY', '4001'],
] as const
const DAY = 24 * 60
const tolds = ['once', 'once', 'twice', 'lost', 'forged'] as const

const openPage = (order: number, provider: CardProvider): Request => ({ do: 'card', order, provider })

/** An order with an open page of a provider, and steps for that page. */
function atCard(random: Random, requests: RequestMaker, provider = random.pick(cardProviders)) {
  const methods = [...cardProviders, 'crypto']
  const { order, shop, step } = requests.newOrder(methods, null, { price: random.pick(prices) })
  const does = (what: CardStep['what'], told: CardStep['told'] = random.pick(tolds)): Step => ({
    ...{ do: 'pay-card', order, provider, what, told, percent: random.pick([100, 50, 33, 1]) },
  })
  const read: Step = { do: 'read', order, shop }
  return { order, shop, provider, does, read, steps: [step, openPage(order, provider)] as Step[] }
}

const turn = (provider: CardProvider, mood: CardsMood): Step => ({
  ...{ do: 'card-service', provider, mood },
})

const refund = (random: Random, order: number, shop: number): Step => ({
  ...{ do: 'refund', order, shop, percent: random.pick([100, 50, 1, 0]), key: 5000 + order },
  by: random.pick(['key', 'owner']),
})

/** The buyer pays, and the event arrives twice, never, or forged. */
function paidByCard(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps, does, read } = atCard(random, requests)
  return [...steps, does('card'), soon(random), page(order), read]
}

/** The buyer changes between a provider's page and a coin, and pays both. */
function cardAndCoin(random: Random, requests: RequestMaker): StorySteps {
  const { order, provider, steps, does } = atCard(random, requests)
  const coin = [open(order, random.int(9)), pay(order, random.pick([100, 50]))]
  const card = [openPage(order, provider), does('card')]
  return [...steps, ...(random.chance(0.5) ? [...coin, ...card] : [...card, ...coin]), soon(random)]
}

/**
 * The buyer pays with a coin, or the shop ends the order. Some time afterwards, the buyer pays on a page of a
 * provider that was opened before.
 */
function paidElsewhere(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps, does, read } = atCard(random, requests)
  const asset = random.int(9)
  const coin = [open(order, asset), pay(order, 100), untilFinal(requests, asset), check(order)]
  const end: Step = { do: 'end', order, by: 'owner', isStale: false }
  return [
    ...steps,
    ...(random.chance(0.3) ? [end] : coin),
    read,
    wait(random.pick([3, 3, 25])),
    does('card'),
    soon(random),
    read,
  ]
}

/** The buyer opens pages of two providers, and pays on both if they can still be paid. */
function twoProviders(random: Random, requests: RequestMaker): StorySteps {
  const { order, provider, steps, does } = atCard(random, requests)
  const other = random.pick(cardProviders.filter(one => one !== provider))
  const payOther = { ...does('card'), provider: other } as Step
  const payments = [does('card'), payOther]
  return [
    ...[...steps, openPage(order, other), ...(random.chance(0.5) ? payments : payments.toReversed())],
    ...[soon(random), page(order), wait(20)],
  ]
}

/** The buyer pays by a debit that takes days. The bank pays or returns it. */
function byDebit(random: Random, requests: RequestMaker): StorySteps {
  const { steps, does, read } = atCard(random, requests)
  const end = does(random.pick(['debit-paid', 'debit-paid', 'debit-returned']))
  const days = random.chance(0.2) ? wait(2 * DAY) : soon(random)
  return [...steps, does('debit'), days, end, wait(70), read]
}

/** Look-ups are stale, fail, or are about another payment, while the buyer pays or a stranger claims so. */
function unreliable(random: Random, requests: RequestMaker): StorySteps {
  const { order, provider, steps, does } = atCard(random, requests)
  const away = turn(provider, random.pick(['stale', 'down', 'mute', 'other']))
  const paid = random.chance(0.7) ? [does('card')] : [does('claim')]
  return [...steps, away, ...paid, soon(random), turn(provider, 'honest'), wait(12), page(order)]
}

/** The provider opens a page, but its answer is lost. The buyer tries again. */
function openedUnheard(random: Random, requests: RequestMaker): StorySteps {
  const { order, provider, steps, does } = atCard(random, requests)
  const [made, opening] = steps as [Step, Step]
  return [
    ...[made, turn(provider, 'mute'), opening, turn(provider, 'honest'), opening],
    ...[does('card'), soon(random), page(order)],
  ]
}

/** The buyer pays late, or after the order has expired. */
function lateByCard(random: Random, requests: RequestMaker): StorySteps {
  const provider = random.pick(cardProviders)
  const price = random.pick(prices)
  const { order, step } = requests.newOrder([provider], random.pick([20, 45]), { price })
  const late = wait(random.pick([5, 14, 25, 31, 44, 50]))
  const does = { do: 'pay-card', order, provider, what: 'card', told: random.pick(tolds), percent: 100 }
  return [step, openPage(order, provider), late, does as Step, wait(12), page(order)]
}

/** A stranger claims that a page was paid, before it is paid or without any payment. */
function claimed(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps, does, read } = atCard(random, requests)
  const paid = random.chance(0.5) ? [does('card'), does('claim')] : []
  return [...steps, does('claim'), page(order), ...paid, soon(random), read]
}

/** The buyer pays a part of the page's amount, and the rest on another page, with a coin, or not at all. */
function partByCard(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps, does, read } = atCard(random, requests)
  const other = random.pick(cardProviders)
  const rest = random.pick<Step[]>([
    [openPage(order, other), { ...does('card'), provider: other } as Step],
    [open(order, random.int(9)), pay(order, 100)],
    [],
  ])
  return [...steps, does('part'), soon(random), page(order), ...rest, soon(random), page(order), read]
}

/** A bank refuses the payment, and the buyer tries again. */
function refused(random: Random, requests: RequestMaker): StorySteps {
  const { order, provider, steps, does } = atCard(random, requests)
  return [
    ...[...steps, does('refused'), soon(random), page(order)],
    ...[openPage(order, provider), does('card'), soon(random), page(order)],
  ]
}

/** The buyer approves or pays while the order ends, and the event is lost. */
function overMeanwhile(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, steps, does, read } = atCard(random, requests)
  const ending = random.pick<Step>([
    { do: 'cancel', order, shop, by: 'key' },
    { do: 'force', order, by: 'owner', isStale: false },
    { do: 'end', order, by: 'staff', isStale: false },
  ])
  const paid = does('card', 'lost')
  return [...steps, ...(random.chance(0.5) ? [paid, ending] : [ending, paid]), wait(12), read]
}

/**
 * The buyer pays, and the event is lost. Several checks run at the same time while other pages are opened.
 */
function lookedTogether(random: Random, requests: RequestMaker): StorySteps {
  const { order, provider, steps, does, read } = atCard(random, requests)
  const other = random.pick(cardProviders)
  const requested = [check(order), check(order), openPage(order, other), openPage(order, provider)]
  const together: Step = { do: 'together', requests: requested.slice(0, random.between(2, 4)) }
  return [...steps, [does(random.pick(['card', 'debit']), 'lost'), together], soon(random), page(order), read]
}

/** The buyer gets money back from the shop, at the provider, and through the bank. */
function backByCard(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, steps, does, read } = atCard(random, requests)
  const back: Step[] = [refund(random, order, shop), does('refund'), does('dispute')]
  const some = back.filter(() => random.chance(0.6))
  return [...steps, does('card'), soon(random), ...some, wait(5), read]
}

/** The shop has the provider refund twice or too much, or while answers are lost or the machine crashes. */
function sentByCard(random: Random, requests: RequestMaker): StorySteps {
  const { order, provider, steps, does, read } = atCard(random, requests)
  const send = (percent: number, key: number): Request => ({ do: 'send-refund', order, percent, key })
  const key = 7000 + order * 2
  const first = send(random.pick([30, 30, 60, 100]), key)
  const second = send(random.pick([30, 50, 100]), random.pick([key, key + 1]))
  const both: Step[] = random.chance(0.4) ? [{ do: 'together', requests: [first, second] }] : [first, second]
  const trouble = random.pick<Step[]>([
    [turn(provider, 'mute'), ...both, turn(provider, 'honest')],
    [turn(provider, 'down'), ...both, turn(provider, 'honest')],
    [{ do: 'crash', points: random.between(3, 7), torn: false }, ...both],
    [{ do: 'crash', points: random.between(3, 7), torn: false }, first],
    both,
  ])
  // The page is paid by then, so this claim is not sent. It only sets how later events are delivered.
  const told = does('claim', random.pick(['once', 'lost', 'lost']))
  return [...steps, does('card', 'once'), [told, ...trouble], wait(12), read, wait(70), read]
}

const stories: readonly Story[] = [
  ...[paidByCard, cardAndCoin, twoProviders, byDebit, unreliable, openedUnheard, lateByCard],
  ...[paidElsewhere, claimed, refused, partByCard, overMeanwhile, lookedTogether, backByCard, sentByCard],
]

/** Payments by card, where shops have accounts. */
export const storiesOfCards = ({ hasCards }: RequestMaker): readonly Story[] => (hasCards ? stories : [])
