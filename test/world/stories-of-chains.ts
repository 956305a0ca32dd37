import type { Random } from '../simulation/random.ts'
import type { RequestMaker } from './generate-requests.ts'
import type { Step } from './steps.ts'
import { check, open, opened, POLYGON, page, pay, type Story, soon, untilFinal, wait } from './story.ts'

const CHECK_MS = 6000
const MINUTE_MS = 60_000

type StorySteps = ReturnType<Story>

const lie = (chain: number, endpoint: number, name: string, amount: number, times: number | null): Step => ({
  ...{ do: 'lie', chain, endpoint, lie: name, amount, times },
})

/** Two buyers pay the same coin through contracts, in one block. */
function twoByContract(random: Random, requests: RequestMaker): StorySteps {
  const coins = [...requests.assetsOn('polygon', true), ...requests.assetsOn('trc20', true)]
  const asset = random.pick(coins)
  const [one, other] = [opened(random, requests, asset), opened(random, requests, asset)]
  const payments = [one, other].map(({ order }) => pay(order, 100, 0, false, 'contract'))
  return [...one.steps, ...other.steps, payments, soon(random), check(one.order), check(other.order)]
}

/** A transfer that looks like a payment, and then a payment that counts. */
function falsely(random: Random, requests: RequestMaker): StorySteps {
  const { order, asset, steps } = opened(random, requests)
  const form = random.pick(['false', 'false', 'same-key'] as const)
  // Only Monero has keys that can be repeated, and outputs that are locked; few worlds have it.
  const [coin = asset] = requests.assetsOn('xmr', true)
  const first = pay(order, form === 'false' ? 100 : 50, 0, false, form)
  const rest = random.chance(0.5) ? [pay(order, 50), soon(random)] : []
  const opening = [...steps.slice(0, 1), open(order, coin)]
  return [...opening, first, check(order), wait(random.pick([3, 31])), check(order), ...rest, page(order)]
}

/** A payment in a token that deducts a fee from each transfer without logging it. */
function taxed(random: Random, requests: RequestMaker): StorySteps {
  const tokens = [...requests.assetsOn('polygon', false), ...requests.assetsOn('base', false)]
  const { order, shop, steps, asset } = opened(random, requests, random.pick(tokens))
  const payment = { ...pay(order, 100), fee: random.between(10, 30) } as Step
  const rest = random.chance(0.3) ? [pay(order, 40), untilFinal(requests, asset), check(order)] : []
  const read: Step = { do: 'read', order, shop }
  return [...steps, payment, untilFinal(requests, asset), check(order), read, ...rest, page(order)]
}

/** Two payments in a token that deducts such a fee. Endpoints list the older one late. */
function taxedLate(random: Random, requests: RequestMaker): StorySteps {
  const tokens = [...requests.assetsOn('polygon', false), ...requests.assetsOn('base', false)]
  const { order, shop, steps, asset } = opened(random, requests, random.pick(tokens))
  const fee = random.between(10, 30)
  const hidden = { ...pay(order, 35), fee, hiddenMinutes: 40 } as Step
  const known = { ...pay(order, 70), fee } as Step
  const looks = [wait(12), check(order), wait(40), check(order), wait(3), check(order)]
  const read: Step = { do: 'read', order, shop }
  return [...steps, hidden, known, untilFinal(requests, asset), check(order), ...looks, read, page(order)]
}

/** The page checks a payment in the moment before it is final, often on the chain whose blocks Florin counts. */
function justBeforeFinal(random: Random, requests: RequestMaker): StorySteps {
  const counted = [...requests.assetsOn('base', true), ...requests.assetsOn('base', false)]
  const isCounted = counted.length > 0 && random.chance(0.5)
  const coin = isCounted ? random.pick(counted) : random.int(9)
  const { order, asset, steps } = opened(random, requests, coin)
  const early = Math.max(0, requests.finalMs(asset) - CHECK_MS) / MINUTE_MS
  return [...steps, [pay(order, 100), wait(early), check(order)], wait(1), check(order)]
}

/** The buyer pays all or a part with two outputs of one transaction, often of Bitcoin, and then pays again. */
function inParts(random: Random, requests: RequestMaker): StorySteps {
  const asset = random.chance(0.5) ? requests.bitcoin() : random.int(9)
  const { order, steps } = opened(random, requests, asset)
  const first = pay(order, random.pick([100, 60]), 0, false, 'split')
  return [...steps, first, soon(random), page(order), pay(order, 40), soon(random)]
}

/** Strangers send more dust than one scan reads. */
function flooded(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps } = opened(random, requests, random.pick(requests.assetsOn('trc20', true)))
  const dust: Step = { do: 'dust', order, payment: 0, count: random.between(150, 260) }
  return [...steps, [pay(order, 100), dust, wait(1), check(order)], wait(3), check(order)]
}

/** Endpoints report a false, high block while an address of an account is allocated, and never again. */
function farStart(random: Random, requests: RequestMaker): StorySteps {
  const shop = requests.accountShop() ?? 0
  const [before, { order, step }] = [requests.newOrder(), requests.newOrder(undefined, null, { shop })]
  const far = Array.from({ length: requests.chains[POLYGON]!.endpoints }, (_, endpoint) =>
    lie(POLYGON, endpoint, 'farTip', 1_000_000, random.pick([1, 2, 3, 5])),
  )
  const asset = random.pick([...requests.assetsOn('polygon', true), ...requests.assetsOn('polygon', false)])
  // A server that has just started knows no height, so it accepts any.
  const opening = [open(before.order, asset), ...far, open(order, asset)]
  return [
    ...[before.step, step, opening, wait(20), open(order, asset), pay(order, 100)],
    ...[untilFinal(requests, asset), check(order)],
  ]
}

/** One of two endpoints reports too large an amount, though both have to agree. */
function inflated(random: Random, requests: RequestMaker): StorySteps {
  const { order, step } = requests.newOrder(undefined, null, { price: ['USD', '140.05'] })
  const asset = random.pick(requests.assetsOn('polygon', false))
  // Always the same endpoint lies, because two endpoints with the same lie are trusted.
  const more = lie(POLYGON, requests.liar(POLYGON) ?? 0, 'inflate', 10, 8)
  return [step, [open(order, asset), pay(order, 20), more, wait(2), check(order)], wait(5), check(order)]
}

/**
 * The buyer pays most of an order. Then one of two endpoints reports too large an amount of another coin, and
 * both still have to agree.
 */
function inflatedRest(random: Random, requests: RequestMaker): StorySteps {
  const { order, step } = requests.newOrder(undefined, null, { price: ['USD', '140.05'] })
  const [coin] = requests.assetsOn('polygon', true)
  const token = random.pick(requests.assetsOn('polygon', false))
  const more = lie(POLYGON, requests.liar(POLYGON) ?? 0, 'inflate', 10, 8)
  return [
    ...[step, open(order, coin!), pay(order, 95), untilFinal(requests, coin!), check(order)],
    ...[[open(order, token), pay(order, 20), more, wait(2), check(order)], wait(5), check(order)],
  ]
}

/** One of two endpoints of Monero invents blocks above a payment, and both have to agree that it is final. */
function aheadOfSecond(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, step } = requests.newOrder(undefined, null, { price: ['USD', '140.05'] })
  const chain = requests.chains.findIndex(({ name }) => name === 'xmr')
  const [asset] = requests.assetsOn('xmr', true)
  const ahead = lie(chain, requests.liar(chain)!, 'ahead', 30, random.pick([3, 8]))
  const looks = [wait(3), ahead, check(order), wait(1), check(order), { do: 'read', order, shop } as const]
  return [[step, open(order, asset!), pay(order, 100), ...looks]]
}

/** A chain cannot be read until the time to pay is over. The buyer pays meanwhile, when the price has fallen. */
function paidUnread(random: Random, requests: RequestMaker): StorySteps {
  const chain = random.int(requests.chains.length)
  const { name } = requests.chains[chain]!
  const asset = random.pick([...requests.assetsOn(name, true), ...requests.assetsOn(name, false)])
  const { order, shop, steps } = opened(random, requests, asset)
  const outage = (isOver: boolean): Step => ({ do: 'outage', chain, isOver })
  const fallen: Step = { do: 'price', ticker: requests.tickerOf(asset), percent: 98 }
  return [
    ...[...steps, outage(false), wait(100), fallen, wait(20), pay(order, 100), outage(true)],
    ...[untilFinal(requests, asset), check(order), { do: 'read', order, shop } as const],
  ]
}

/** A payment in Bitcoin waits for longer than a quote is kept for it, while the price falls. */
function minedLate(random: Random, requests: RequestMaker): StorySteps {
  const asset = requests.bitcoin()
  const { order, shop, steps } = opened(random, requests, asset)
  const fallen: Step = { do: 'price', ticker: requests.tickerOf(asset), percent: random.pick([60, 80]) }
  // Steps of other stories would mine it sooner.
  const late: Step[] = [wait(60), fallen, wait(random.pick([300, 450])), { do: 'mine' }]
  return [
    ...[
      ...steps,
      [pay(order, 100, 0, true), check(order), ...late],
      untilFinal(requests, asset),
      check(order),
    ],
    { do: 'read', order, shop },
  ]
}

/** One endpoint never reports any payment, and another one reports all. */
function leftOut(random: Random, requests: RequestMaker): StorySteps {
  const chain = random.int(requests.chains.length)
  const liar = requests.liar(chain)
  const { name } = requests.chains[chain]!
  const asset = random.pick([...requests.assetsOn(name, true), ...requests.assetsOn(name, false)])
  const { order, steps } = opened(random, requests, asset)
  const omitting = liar === null ? [] : [lie(chain, liar, 'omit', 0, null)]
  return [...omitting, ...steps, pay(order, 100), wait(random.pick([12, 70])), check(order), page(order)]
}

/**
 * A small transaction that was seen in time is replaced by a large one after the price has fallen, and too
 * late.
 */
function replacedLate(random: Random, requests: RequestMaker): StorySteps {
  const { order, steps } = opened(random, requests, requests.bitcoin())
  const first = random.pick([2, 50])
  const fallen = (['btc', 'ltc'] as const).map(
    (ticker): Step => ({ do: 'price', ticker, percent: random.pick([60, 80]) }),
  )
  // The prices of the quarter hour before its block may be used to value a late payment.
  const replaced: Step[] = [
    { do: 'replace', percent: first === 2 ? 5000 : 200, order },
    ...[wait(1), check(order), { do: 'mine' } as const],
  ]
  return [
    ...[...steps, [pay(order, first, 0, true), check(order)], wait(70), fallen],
    ...[wait(random.pick([25, 50])), replaced, wait(35), check(order)],
  ]
}

/** A stranger pays to an address before it is given to a buyer, who then pays a part to it. */
function beforeOpening(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, step } = requests.newOrder()
  const asset = random.int(9)
  // The next block of Bitcoin takes up to ten minutes, and what waits for it would be mined after the opening.
  const early: Step[] = [{ do: 'pay-early', shop, asset }, wait(12)]
  const part = random.chance(0.5) ? [pay(order, 40), soon(random)] : []
  return [
    step,
    [...early, untilFinal(requests, asset), open(order, asset)],
    ...part,
    soon(random),
    check(order),
    page(order),
  ]
}

/** Stories about chains, with their weights. Some need a setup that not every world has. */
export function storiesOfChains({ chains, quorumAbove, assetsOn }: RequestMaker): Story[] {
  const hasTron = assetsOn('trc20', true).length > 0
  const monero = chains.find(({ name }) => name === 'xmr')
  const hasQuorum = quorumAbove !== null && chains[POLYGON]!.endpoints > 1
  return [
    ...[twoByContract, falsely, falsely, justBeforeFinal, justBeforeFinal, inParts, farStart],
    ...[leftOut, replacedLate, taxed, taxedLate, paidUnread, minedLate, beforeOpening],
    ...(hasTron ? [flooded] : []),
    ...(hasQuorum ? [inflated, inflatedRest] : []),
    ...(monero ? [falsely, falsely, falsely] : []),
    ...(monero && monero.endpoints > 1 && quorumAbove !== null ? [aheadOfSecond] : []),
  ]
}
