import { registry } from '../../src/coins/registry.ts'
import type { Random } from '../simulation/random.ts'
import { type ChainName, finalWithin } from './chains.ts'
import { lightningAsset } from './lightning.ts'
import { tickers } from './prices.ts'
import { INTRUSIONS, READ_ONLY } from './programs.ts'
import type { Person, Request, RequestOf, Setup, ShopSetup } from './steps.ts'

/** Prices in several currencies: the yen has no decimals. */
const amounts = [
  ['USD', '25.00'],
  ['USD', '19.99'],
  ['USD', '0.37'],
  ['USD', '140.05'],
  ['USD', '1200.00'],
  ['EUR', '33.33'],
  ['EUR', '7.01'],
  ['JPY', '4001'],
] as const
const lists = [
  ...(['orders', 'transactions', 'events', 'products'] as const).map(list => ({ list, filter: null })),
  ...(['PAID', 'EXPIRED'] as const).map(status => ({ list: 'orders', filter: `status=${status}` }) as const),
  { list: 'events', filter: 'type=order.paid' },
] as const
const people: readonly Person[] = ['owner', 'owner', 'owner', 'staff', 'viewer', 'stranger']
const assetsMax = 9
/** The number of idempotency keys. It is small, so that some keys are used again. */
const KEYS = 6

/**
 * The assets of a world, in the order in which steps number them. An asset without a chain is final at once.
 */
const assetsOf = ({ chains, hasLightning }: Setup) => [
  ...chains.flatMap(setup =>
    registry.assets.filter(({ chain }) => chain === setup.name).map(asset => ({ asset, setup })),
  ),
  ...(hasLightning ? [{ asset: lightningAsset(), setup: null }] : []),
]

/** The settings of a shop that money depends on. */
export const settingsOf = (random: Random): Omit<ShopSetup, 'hasAccount'> => ({
  feePercent: random.pick(['0', '0', '1.5', '2.75', '0.3333']),
  tolerance: random.pick(['0.5', '0.5', '0', '1.25', '5']),
  late: random.chance(0.25) ? 'ask' : 'settle',
})

export type RequestMaker = ReturnType<typeof requestMaker>

/** Generates the requests of a history. It knows how many orders there are, but not their states. */
export function requestMaker(setup: Setup, honest: readonly number[], random: Random) {
  const { shops, hasGateway, hasCards, hasLightning, chains, quorumAbove } = setup
  const assets = assetsOf(setup)
  let orders = 0
  let freshKeys = 0
  let products = 0
  /** the shop of each order, by the number of the order */
  const shopsOf: number[] = [0]

  /** Most steps are about recent orders. */
  const someOrder = (): number => Math.max(1, orders - Math.floor(random.int(5) * random.int(4) * 0.5))
  const person = (): Person => random.pick(people)
  const shop = (): number => random.int(shops.length)
  /** An order with its shop, or now and then with another shop. */
  const owned = () => {
    const order = someOrder()
    return { order, shop: random.chance(0.9) ? (shopsOf[order] ?? 0) : shop() }
  }

  function newOrder(
    methods?: string[],
    minutes: number | null = null,
    { price, shop = random.int(shops.length) }: { price?: (typeof amounts)[number]; shop?: number } = {},
  ) {
    orders += 1
    const [currency, amount] = price ?? random.pick(amounts)
    shopsOf.push(shop)
    const offered = hasGateway ? random.pick([['*'], ['crypto'], ['moonpay', 'crypto']]) : ['crypto']
    const step: Request = {
      ...{
        do: 'order',
        order: orders,
        shop,
        amount,
        currency,
        methods: hasGateway || hasCards ? (methods ?? offered) : offered,
      },
      ...{ minutes, key: null, body: 0 },
    }
    return { order: orders, shop, step }
  }

  function order(): Request {
    const minutes = random.chance(0.3) ? random.pick([20, 45, 90, 300, 3000]) : null
    const { step } = newOrder(undefined, minutes)
    const key = random.chance(0.2) ? random.int(KEYS) + Math.floor(orders / 10) * KEYS : null
    return { ...step, key, body: random.chance(0.8) ? 0 : 1 } as Request
  }

  const open = (): Request => ({ do: 'open', order: someOrder(), asset: random.int(assetsMax) })

  const decision = (): Request => ({
    ...{ do: random.pick(['end', 'force', 'accept', 'accept', 'accept', 'resolve']), order: someOrder() },
    ...{ by: person(), isStale: random.chance(0.2) },
  })

  const refund = (): Request => ({
    ...{ do: 'refund', ...owned(), percent: random.pick([100, 50, 30, 33, 1, 120, 0]) },
    ...{ key: random.int(40), by: random.chance(0.5) ? 'key' : 'owner' },
  })

  const cancel = (): Request => ({
    ...{ do: 'cancel', ...owned() },
    by: random.chance(0.6) ? 'key' : person(),
  })

  const visit = (): Request => ({
    ...{ do: 'visit', order: someOrder() },
    what: random.pick(['page', 'page', 'status', 'status', 'check', 'check', 'check', 'elsewhere']),
  })

  const page = (): Request =>
    hasGateway ? { do: 'page', order: someOrder(), method: random.int(4) } : open()

  const callback = (): Request =>
    hasGateway
      ? {
          ...{ do: 'callback', order: someOrder() },
          proof: random.pick(['signed', 'signed', 'signed', 'unsigned', 'forged', 'other-secret']),
        }
      : visit()

  /** The changes of owners, and products, each with its number. */
  function managing(): Request {
    const [currency, amount] = random.pick(amounts)
    const product = (what: RequestOf<'product'>['what'], number: number): Request => ({
      ...{ do: 'product', shop: shop(), product: number, what, amount, currency },
    })
    const known = (): number => Math.max(1, products - random.int(4))
    const roll = random.int(12)
    if (roll === 0) return { do: 'settings', shop: shop(), ...settingsOf(random) }
    if (roll === 1) return { do: 'rotate', shop: shop(), overlapHours: random.pick([0, 1, 24]) }
    if (roll === 2) return { do: 'webhook', shop: shop(), path: random.int(3) }
    if (roll === 3) return { do: 'key', shop: shop() }
    if (roll < 6 || products === 0) return product('create', ++products)
    if (roll < 9) return buy(known())
    return product(random.pick(['change', 'archive', 'restore', 'read', 'foreign']), known())
  }

  /** A product that no other step changes, in the currency of its price. */
  function newProduct() {
    const [currency, amount] = random.pick(amounts)
    const product = ++products
    const about = { do: 'product', shop: shop(), product, amount, currency } as const
    return { product, make: (what: RequestOf<'product'>['what']): Request => ({ ...about, what }) }
  }

  function buy(product: number): Request {
    orders += 1
    shopsOf.push(0)
    return { do: 'buy', order: orders, product }
  }

  const kinds: [weight: number, make: () => Request][] = [
    [34, visit],
    [8, open],
    [6, page],
    [9, callback],
    [12, () => ({ do: 'read', ...owned() })],
    [
      7,
      () => ({
        ...{ do: 'list', shop: shop(), ...random.pick(lists) },
        size: random.pick([1, 3, 10]),
      }),
    ],
    [12, managing],
    [3, () => ({ do: 'redeliver', shop: shop(), back: random.int(6) })],
    [3, cancel],
    [9, decision],
    [10, refund],
    [4, () => ({ do: 'dashboard', shop: shop(), page: random.int(8), by: person() })],
    [8, () => ({ do: 'stranger', order: someOrder(), what: random.int(INTRUSIONS) })],
    [3, () => ({ do: 'refund-address', order: someOrder() })],
  ]
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0)

  function any(): Request {
    let roll = random.int(total)
    for (const [weight, make] of kinds) {
      if (roll < weight) return make()
      roll -= weight
    }
    return visit()
  }

  /** The same request twice, as by two people at the same time, or by one who presses a button again. */
  function twice(): Request[] {
    const one = random.pick([order, open, decision, refund, refund, cancel, visit, callback])()
    return random.chance(0.5) ? [one, one] : [one, one, any()]
  }

  return {
    ...{ order, newOrder, open, any, twice, someOrder, newProduct, buy },
    otherShop: (shop: number) => (shop + 1) % shops.length,
    readOnlyTries: () => READ_ONLY,
    /** an idempotency key that no other step uses */
    freshKey: () => 1000 + ++freshKeys,
    ticker: () => random.pick(tickers),
    /** the index of an asset of Bitcoin or Litecoin; that of any asset if the world has neither */
    bitcoin: () =>
      Math.max(
        0,
        assets.findIndex(({ asset }) => asset.id === 'btc' || asset.id === 'ltc'),
      ),
    tickerOf: (asset: number): string => assets[asset % assets.length]!.asset.ticker.toLowerCase(),
    /** the indices of a chain's coin, or of its tokens; empty if the world does not have the chain */
    assetsOn: (chain: ChainName, isCoin: boolean): number[] =>
      assets.flatMap(({ asset }, index) =>
        asset.chain === chain && (asset.contract === null) === isCoin ? [index] : [],
      ),
    /** the shortest time from a payment in an asset until it is final */
    finalMs(asset: number): number {
      const { setup: chain } = assets[asset % assets.length]!
      return chain ? finalWithin(chain).soonestMs : 0
    },
    /** the index of Lightning; in a world without it, the index of the last asset */
    lightning: () => assets.length - 1,
    chains,
    quorumAbove,
    ...{ hasCards, hasGateway, hasLightning },
    /** a shop whose addresses on EVM chains come from an account; null if there is none */
    accountShop: (): number | null => {
      const shop = shops.findIndex(({ hasAccount }) => hasAccount)
      return shop < 0 ? null : shop
    },
    /**
     * an endpoint of a chain that may have an endless lie, because another endpoint has none; null if there
     * is none
     */
    liar: (chain: number): number | null => {
      const { endpoints } = chains[chain]!
      return endpoints > 1 ? (honest[chain]! === 0 ? 1 : 0) : null
    },
  }
}
