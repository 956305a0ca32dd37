import type { Random } from '../simulation/random.ts'
import type { RequestMaker } from './generate-requests.ts'
import { FOREIGN_TRANSACTION } from './programs.ts'
import type { Request, RequestOf, Step } from './steps.ts'
import { check, open, opened, page, pay, type Story, settled, soon, untilFinal, wait } from './story.ts'

type StorySteps = ReturnType<Story>

/** A key of refunds that several orders use. */
const KEY_OF_ALL = 99

/**
 * The shop refunds an order in parts that together exceed its amount, with a key that was used before, also
 * for another order, or twice at the same time.
 */
function refunded(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, steps } = settled(random, requests)
  const by = random.pick(['key', 'key', 'owner'] as const)
  const key = 100 + order * 3
  const refund = (percent: number, key: number): Request => ({
    do: 'refund',
    ...{ order, shop, percent, key, by },
  })
  const first = refund(random.pick([60, 33, 100]), key)
  const second = refund(random.pick([60, 40, 67]), random.pick([key, key + 1]))
  const both: Step[] = random.chance(0.6) ? [first, second] : [{ do: 'together', requests: [first, second] }]
  const ofOther = random.chance(0.5) ? [refund(0, KEY_OF_ALL)] : []
  return [...steps, ...both, ...ofOther, refund(7, key + 2), { do: 'read', order, shop }]
}

/** The buyer pays slightly less than the amount: by less than the shop's tolerance, or by more. */
function almost(random: Random, requests: RequestMaker): StorySteps {
  const price = random.pick([
    ['USD', '1200.00'],
    ['USD', '1200.00'],
    ['USD', '140.05'],
    ['EUR', '33.33'],
  ] as const)
  const { order, shop, step } = requests.newOrder(undefined, null, { price })
  const asset = random.int(9)
  const less = pay(order, random.pick([99, 99, 98]))
  const before = random.chance(0.5) ? [open(order, asset + 1)] : []
  return [
    ...[step, ...before, open(order, asset), less, untilFinal(requests, asset)],
    ...[check(order), { do: 'read', order, shop } as const],
  ]
}

/** A decision about an order by a person who may not make it. */
const forbidden = (random: Random, order: number): Step => ({
  ...random.pick([
    { do: 'accept', by: 'staff' } as const,
    { do: 'accept', by: 'stranger' } as const,
    { do: 'resolve', by: 'viewer' } as const,
    { do: 'resolve', by: 'stranger' } as const,
  ]),
  ...{ order, isStale: false },
})

/** The buyer pays after the order has expired. */
function afterExpiry(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, step } = requests.newOrder(undefined, random.pick([20, 31, 45]))
  const asset = random.int(9)
  return [
    ...[step, open(order, asset), wait(random.pick([21, 95, 120])), { do: 'read', order, shop } as const],
    ...[wait(100), pay(order, random.pick([103, 103, 50])), untilFinal(requests, asset), check(order)],
    ...[{ do: 'read', order, shop } as const, forbidden(random, order)],
  ]
}

/** The buyer pays a part after the order has expired, gets it back, and pays another part. */
function sentBack(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, step } = requests.newOrder(undefined, random.pick([20, 45]))
  const asset = random.int(9)
  const part = [pay(order, 60), untilFinal(requests, asset), check(order)]
  const back: Step = { do: 'resolve', order, by: 'owner', isStale: random.chance(0.5) }
  return [step, open(order, asset), wait(130), ...part, back, ...part, { do: 'read', order, shop }]
}

/**
 * An idempotency key is used again: for the same order, for another one, and by another shop. The machine may
 * crash while the key is first used.
 */
function keyAgain(random: Random, requests: RequestMaker): StorySteps {
  const { step, shop } = requests.newOrder()
  const key = requests.freshKey()
  const first = { ...step, key } as RequestOf<'order'>
  const other: Request = { ...first, amount: '11.00', currency: 'USD' }
  const foreign: Request = { ...first, shop: requests.otherShop(shop) }
  const dies: Step = { do: 'crash', points: random.between(1, 3), torn: false }
  return [
    random.chance(0.4) ? [dies, first] : { do: 'together', requests: [first, first] },
    ...[first, other, foreign],
    { do: 'list', shop, list: 'orders', filter: null, size: 3 },
  ]
}

/** A product is ordered, archived, ordered, restored, and ordered again. */
function archived(_: Random, requests: RequestMaker): StorySteps {
  const { product, make } = requests.newProduct()
  const buy = (): Step => requests.buy(product)
  return [make('create'), buy(), make('archive'), buy(), make('restore'), buy()]
}

/** A program orders a product, and tries to name its own price. */
function haggled(_: Random, requests: RequestMaker): StorySteps {
  const { make } = requests.newProduct()
  return [make('create'), make('haggle')]
}

/** The secret or the URL of a shop's webhook changes while events are sent. */
function changedEndpoint(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, asset, steps } = opened(random, requests)
  const change: Step = random.chance(0.5)
    ? { do: 'rotate', shop, overlapHours: random.pick([0, 1, 24]) }
    : { do: 'webhook', shop, path: random.int(3) }
  const end: Step = { do: 'cancel', order, shop, by: 'owner' }
  return [
    ...[change, ...steps, wait(random.pick([1, 59, 70])), pay(order, 100), untilFinal(requests, asset)],
    ...[check(order), end, { do: 'redeliver', shop, back: random.int(4) } as const],
  ]
}

/** A read-only key tries to write, and another shop tries to read the payment. */
function readOnly(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, steps } = random.chance(0.5) ? settled(random, requests) : opened(random, requests)
  const tries = requests.readOnlyTries().map((what): Step => ({ do: 'stranger', order, what }))
  const foreign: Step = { do: 'stranger', order, what: FOREIGN_TRANSACTION }
  return [...steps, ...tries, foreign, { do: 'read', order, shop }]
}

/** A page of the gateway is open and unpaid, and a stranger sends a callback. */
function calledBack(random: Random, requests: RequestMaker): StorySteps {
  const { order, shop, step } = requests.newOrder(['*'])
  const proof = random.pick(['forged', 'other-secret', 'other-secret', 'unsigned'] as const)
  return [
    ...[step, { do: 'page', order, method: random.int(4) } as const],
    ...[{ do: 'callback', order, proof } as const, soon(random), page(order)],
    { do: 'read', order, shop },
  ]
}

/** Stories about the shop and its settings, with their weights. */
export const storiesOfShops = ({ hasGateway }: RequestMaker): Story[] => [
  ...[refunded, refunded, almost, afterExpiry, sentBack, keyAgain, archived, haggled],
  ...[changedEndpoint, readOnly],
  ...(hasGateway ? [calledBack] : []),
]
