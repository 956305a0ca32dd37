import type { Random } from '../simulation/random.ts'
import type { RequestMaker } from './generate-requests.ts'
import type { Step } from './steps.ts'
import { open, page, pay, type Story, soon, wait } from './story.ts'

type CardStep = Extract<Step, { do: 'pay-card' }>

/** Nobody charges less by card. */
const prices = [
  ['USD', '25.00'],
  ['USD', '140.05'],
  ['EUR', '33.33'],
  ['EUR', '7.01'],
  ['JPY', '4001'],
] as const
const DAY = 24 * 60

/** An order that Stripe's page is open for. */
function atStripe(random: Random, requests: RequestMaker) {
  const made = requests.newOrder(['stripe', 'crypto'], null, { price: random.pick(prices) })
  const { order, shop, step } = made
  return { order, shop, steps: [step, { do: 'card', order }] as Step[] }
}

const payCard = (
  random: Random,
  order: number,
  what: CardStep['what'],
  told: CardStep['told'] = random.pick(['once', 'once', 'twice', 'lost', 'forged']),
): Step => ({ do: 'pay-card', order, what, told, percent: random.pick([100, 50, 33, 1]) })

const refund = (random: Random, order: number, shop: number): Step => ({
  ...{ do: 'refund', order, shop, percent: random.pick([100, 50, 1, 0]), key: 5000 + order },
  by: random.pick(['key', 'owner']),
})

const stories: readonly Story[] = [
  // Pays by card, and the event comes twice, never, or forged.
  (random, requests) => {
    const { order, shop, steps } = atStripe(random, requests)
    return [...steps, payCard(random, order, 'card'), soon(random), page(order), { do: 'read', order, shop }]
  },
  // Goes back and forth between Stripe's page and a coin, and pays both.
  (random, requests) => {
    const { order, steps } = atStripe(random, requests)
    const coin = [open(order, random.int(9)), pay(order, random.pick([100, 50]))]
    const card = [{ do: 'card', order } as const, payCard(random, order, 'card')]
    return [...steps, ...(random.chance(0.5) ? [...coin, ...card] : [...card, ...coin]), soon(random)]
  },
  // Pays by a debit that takes days, and is paid by the bank or returned.
  (random, requests) => {
    const { order, shop, steps } = atStripe(random, requests)
    const end = payCard(random, order, random.pick(['debit-paid', 'debit-paid', 'debit-returned']))
    const days = random.chance(0.2) ? wait(2 * DAY) : soon(random)
    return [...steps, payCard(random, order, 'debit'), days, end, wait(70), { do: 'read', order, shop }]
  },
  // Look-ups tell what was, or nothing, while the buyer pays.
  (random, requests) => {
    const { order, steps } = atStripe(random, requests)
    const away: Step = { do: 'stripe', mood: random.pick(['stale', 'stale', 'down']) }
    const back: Step = { do: 'stripe', mood: 'honest' }
    return [...steps, away, payCard(random, order, 'card'), soon(random), back, wait(12), page(order)]
  },
  // Pays late, or after the order has expired.
  (random, requests) => {
    const { order, step } = requests.newOrder(['stripe'], random.pick([20, 45]), {
      price: random.pick(prices),
    })
    const late = wait(random.pick([15, 25, 31, 44, 50]))
    return [step, { do: 'card', order }, late, payCard(random, order, 'card'), wait(12), page(order)]
  },
  // Gets money back from the shop, at Stripe, and by the bank.
  (random, requests) => {
    const { order, shop, steps } = atStripe(random, requests)
    const back: Step[] = [
      refund(random, order, shop),
      payCard(random, order, 'refund'),
      payCard(random, order, 'dispute'),
    ]
    const some = back.filter(() => random.chance(0.6))
    return [
      ...steps,
      payCard(random, order, 'card'),
      soon(random),
      ...some,
      wait(5),
      { do: 'read', order, shop },
    ]
  },
]

/** Payments by card, as often as all others. */
export const storiesOfCards = ({ hasCards }: RequestMaker): readonly Story[] =>
  hasCards ? [...stories, ...stories] : []
