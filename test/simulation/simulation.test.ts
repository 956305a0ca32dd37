import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { registry } from '../../src/coins/registry.ts'
import { tokenAccountOf } from '../../src/networks/solana/token-account.ts'
import { Chain } from './chain.ts'
import { type History, makeHistory, type Setup } from './history.ts'
import { chooseLies, type Family, families, lies } from './lies.ts'
import { checkOrders, checkPayments, type OpenedOrder } from './model.ts'
import { plans } from './plans.ts'
import { openRunner, printFailure } from './runner.ts'
import { STARTS_AT } from './scene.ts'

/** The seeds of those histories that `npm run simulate` runs whose lies no earlier history had. */
function sampleOf(family: Family): number[] {
  const holding = chooseLies(family, 'holding')
  const left = new Set(holding.map(({ name }) => name))
  const seeds: number[] = []
  for (let seed = 1; seed <= 500 && left.size > 0; seed++) {
    const steps = makeHistory(family, seed, holding).steps
    const isNew = steps.map(step => 'lie' in step && left.delete(step.lie)).includes(true)
    if (isNew) seeds.push(seed)
  }
  expect([...left]).toEqual([])
  return seeds
}

/** The kind of the first endpoint in a family with several kinds. */
const first = (family: Family): string => (family === 'bitcoin' ? 'esplora' : family)

let runner: Awaited<ReturnType<typeof openRunner>>

beforeAll(async () => {
  runner = await openRunner()
})
afterAll(() => runner.close())

for (const family of families) {
  test(`no money is lost or invented on a simulated ${family} chain with endpoints that lie`, async () => {
    const failures: string[] = []
    for (const seed of sampleOf(family)) {
      if (failures.length > 0) break
      const failure = await runner.runSeed(family, seed, chooseLies(family, 'holding'))
      if (failure) failures.push(printFailure(failure))
    }
    expect(failures).toEqual([])
  }, 120_000)
}

/** A chain of a family, with endpoints of one kind. */
const setupOf = (family: Family, change: Partial<Setup> = {}): Setup => ({
  ...{ family, seed: 1, endpoints: 1, finalityLag: 5, quorumAbove: null },
  hasAccount: family !== 'evm',
  interfaces: Array.from({ length: 2 }, () => (family === 'tron' ? 'both' : first(family))),
  ...change,
})

test.each(families)(
  'a payment on %s that a reorganisation drops pays nothing, and one that is made again is found',
  async family => {
    const setup = setupOf(family, { finalityLag: 40 })
    const steps: History['steps'] = [
      ...[1, 2].map(order => ({ do: 'open', order, asset: 0 }) as const),
      ...[1, 2].map(order => ({ do: 'pay', order, percent: 100, asset: 7 }) as const),
      // By then, Monero's payment is in a block and has too few confirmations; Bitcoin's, which needs one, is
      // in no block.
      { do: 'wait', minutes: family === 'monero' ? 3 : 0 },
      { do: 'visit', order: 1 },
      { do: 'reorganise', depth: 25, loses: true },
      { do: 'pay', order: 2, percent: 100, asset: 7 },
      { do: 'wait', minutes: 12 },
    ]
    expect(await runner.problemOf({ setup, steps })).toBeNull()
  },
)

test.each(families)(
  'a payment that one endpoint of %s never reports is found through the other before the lock ends',
  async family => {
    const setup = setupOf(family, { endpoints: 2 })
    // A daemon of Monero with an endless lie would later report this settled payment as lost.
    const times = family === 'monero' ? 1000 : Number.POSITIVE_INFINITY
    const steps: History['steps'] = [
      { do: 'open', order: 1, asset: 0 },
      { do: 'lie', endpoint: 0, lie: 'blank', times, amount: 0 },
      { do: 'pay', order: 1, percent: 100, asset: 7 },
      { do: 'wait', minutes: 29 },
      { do: 'expect', order: 1 },
    ]
    expect(await runner.problemOf({ setup, steps })).toBeNull()
  },
  60_000,
)

test.each(families.flatMap(family => [1, 2].map(endpoints => [family, endpoints] as const)))(
  'a payment on %s is found and stays, although the first of %i endpoints sometimes reports a much shorter chain',
  async (family, endpoints) => {
    const short = (times: number) => ({ do: 'lie', endpoint: 0, lie: 'short', times, amount: 0 }) as const
    const steps: History['steps'] = [
      ...[1, 2].map(order => ({ do: 'open', order, asset: order - 1 }) as const),
      short(1),
      { do: 'visit', order: 1 },
      { do: 'pay', order: 1, percent: 100, asset: 7 },
      { do: 'wait', minutes: 29 },
      { do: 'expect', order: 1 },
      short(1),
      { do: 'open', order: 3, asset: 0 },
      { do: 'pay', order: 3, percent: 100, asset: 7 },
      { do: 'wait', minutes: 60 },
      short(3),
      { do: 'wait', minutes: 200 },
      { do: 'pay', order: 2, percent: 100, asset: 7 },
      { do: 'wait', minutes: 20 },
    ]
    expect(await runner.problemOf({ setup: setupOf(family, { endpoints }), steps })).toBeNull()
  },
  60_000,
)

test.each(families)(
  'a payment on %s is in time although the clock of the server is two hours behind',
  async family => {
    const steps: History['steps'] = [
      { do: 'clock', minutes: -120 },
      { do: 'open', order: 1, asset: 0 },
      { do: 'open', order: 2, asset: 1 },
      ...[1, 2].map(order => ({ do: 'pay', order, percent: 100, asset: 7 }) as const),
      { do: 'wait', minutes: 12 },
    ]
    expect(await runner.problemOf({ setup: setupOf(family), steps })).toBeNull()
  },
  60_000,
)

test.each(families)(
  'a false height on %s hides a payment for minutes, although the clock of the server was set back since',
  async family => {
    const steps: History['steps'] = [
      { do: 'open', order: 1, asset: 0 },
      { do: 'lie', endpoint: 0, lie: 'farTip', times: 1, amount: 1e6 },
      { do: 'visit', order: 1 },
      { do: 'clock', minutes: -120 },
      { do: 'pay', order: 1, percent: 100, asset: 7 },
      { do: 'wait', minutes: 29 },
      { do: 'expect', order: 1 },
    ]
    expect(await runner.problemOf({ setup: setupOf(family), steps })).toBeNull()
  },
  60_000,
)

test('a payment during an outage on TRON is found although the first answers after it omit it and lie about the height', async () => {
  const steps: History['steps'] = [
    { do: 'open', order: 1, asset: 0 },
    { do: 'lie', endpoint: 0, lie: 'fail', times: 1e9, amount: 0 },
    { do: 'pay', order: 1, percent: 100, asset: 7 },
    { do: 'wait', minutes: 9 * 24 * 60 },
    { do: 'lie', endpoint: 0, lie: 'honest', times: 1, amount: 0 },
    { do: 'lie', endpoint: 0, lie: 'omit', times: 1, amount: 0 },
    { do: 'lie', endpoint: 0, lie: 'farTip', times: 1, amount: 1e6 },
    { do: 'wait', minutes: 6 * 60 },
    { do: 'expect', order: 1 },
  ]
  expect(await runner.problemOf({ setup: setupOf('tron'), steps })).toBeNull()
}, 60_000)

test('14,000 transfers of zero to one address delay no other payment on the chain', async () => {
  const others = [2, 3, 4, 5, 6]
  const steps: History['steps'] = [
    ...[1, ...others].map(order => ({ do: 'open', order, asset: 1 }) as const),
    { do: 'wait', minutes: 1 },
    { do: 'disturb', order: 1, lie: 'zeroFlood', amount: 14_000 },
    { do: 'wait', minutes: 1 },
    ...[1, ...others].map(order => ({ do: 'pay', order, percent: 100, asset: 7 }) as const),
    { do: 'wait', minutes: 12 },
  ]
  expect(await runner.problemOf({ setup: setupOf('evm'), steps })).toBeNull()
})

test('10,000 tiny payments to one Bitcoin address delay neither its order nor another', async () => {
  const steps: History['steps'] = [
    { do: 'open', order: 1, asset: 0 },
    { do: 'open', order: 2, asset: 0 },
    { do: 'disturb', order: 1, lie: 'crowd', amount: 10_000 },
    { do: 'wait', minutes: 12 },
    { do: 'pay', order: 1, percent: 100, asset: 7 },
    { do: 'pay', order: 2, percent: 100, asset: 7 },
    // A scan reads at most 1,000 of the payments, and a paid order is scanned once an hour.
    { do: 'wait', minutes: 12 * 60 },
  ]
  expect(await runner.problemOf({ setup: setupOf('bitcoin'), steps })).toBeNull()
}, 60_000)

test('a payment that an endpoint leaves out of its list is found by the sum that the address received', async () => {
  const steps: History['steps'] = [
    { do: 'open', order: 1, asset: 0 },
    { do: 'pay', order: 1, percent: 100, asset: 7 },
    { do: 'lie', endpoint: 0, lie: 'hide', times: 60, amount: 0 },
    { do: 'wait', minutes: 70 },
    { do: 'disturb', order: 1, lie: 'crowd', amount: 30 },
    { do: 'wait', minutes: 240 },
  ]
  expect(await runner.problemOf({ setup: setupOf('bitcoin'), steps })).toBeNull()
})

test('a payment in a token that deducts an unlogged fee counts only at the amount that arrived', async () => {
  const steps: History['steps'] = [
    ...[1, 2].map(order => ({ do: 'open', order, asset: 1 }) as const),
    ...[1, 2].map(order => ({ do: 'disturb', order, lie: 'tokenFee', amount: 20 }) as const),
    { do: 'wait', minutes: 2 },
    { do: 'pay', order: 2, percent: 50, asset: 7 },
    { do: 'wait', minutes: 2 },
    { do: 'sweep', order: 2 },
    { do: 'wait', minutes: 2 },
  ]
  expect(await runner.problemOf({ setup: setupOf('evm'), steps })).toBeNull()
})

describe('the simulation itself', () => {
  const setup = setupOf('evm')
  const forgery: History['steps'] = [
    { do: 'open', order: 1, asset: 1 },
    { do: 'lie', endpoint: 0, lie: 'forge', times: 1, amount: 0 },
    { do: 'visit', order: 1 },
  ]

  test('finds an order that is PAID although nothing arrived', async () => {
    const found = await runner.problemOf({ setup, steps: forgery })
    expect(found).toBe('order 1 is PAID, but too little arrived')
  })

  test('finds no failure if a second endpoint has to confirm the forged payment', async () => {
    const careful = { ...setup, endpoints: 2, quorumAbove: 10 }
    expect(await runner.problemOf({ setup: careful, steps: forgery })).toBeNull()
  })

  test('sweeps a forwarder by a transaction of another account', async () => {
    const steps: History['steps'] = [
      { do: 'open', order: 1, asset: 0 },
      { do: 'pay', order: 1, percent: 100, asset: 7 },
      { do: 'wait', minutes: 1 },
      { do: 'sweep', order: 1 },
      { do: 'pay', order: 1, percent: 100, asset: 1 },
      { do: 'pay', order: 1, percent: 100, asset: 4 },
    ]
    expect(await runner.problemOf({ setup: { ...setup, seed: 241 }, steps })).toBeNull()
  })

  test.each(families)('opens payments in every asset of %s, with every kind of endpoint', async family => {
    const { chainId } = plans[family]
    const assets = registry.assets.filter(({ chain }) => chain === chainId).map(({ id }) => id)
    const steps = assets.map((_, index) => ({ do: 'open' as const, order: index + 1, asset: index }))
    for (const interfaces of family === 'tron' ? [['both'], ['index']] : [[first(family)]]) {
      const history = { setup: setupOf(family, { interfaces }), steps }
      expect(await runner.run(history)).toEqual({ problem: null, openedAssets: assets })
    }
  })

  test('opens no large payment in TRX if only one of two endpoints finds TRX', async () => {
    const tron = setupOf('tron', { endpoints: 2, quorumAbove: 10 })
    const steps: History['steps'] = [
      { do: 'open', order: 1, asset: 0 },
      { do: 'open', order: 2, asset: 1 },
    ]
    const openedWith = async (...interfaces: string[]) =>
      (await runner.run({ setup: { ...tron, interfaces }, steps })).openedAssets
    expect(await openedWith('rpc', 'both')).toEqual(['trc20/usdt'])
    expect(await openedWith('index', 'both')).toEqual(['trc20/trx', 'trc20/usdt'])
  })

  test('makes the same history from the same seed, and another one from another seed', () => {
    const all = chooseLies('evm', 'all')
    expect(makeHistory('evm', 7, all)).toEqual(makeHistory('evm', 7, all))
    expect(makeHistory('evm', 7, all).steps).not.toEqual(makeHistory('evm', 8, all).steps)
  })

  test('finds a payment that is recorded nowhere, and an order that stays unpaid', () => {
    const chain = new Chain({
      clock: () => STARTS_AT + 60_000,
      startsAt: STARTS_AT,
      firstHeight: 9,
      blockMs: 2000,
    })
    const order: OpenedOrder = {
      number: 1,
      id: 'order',
      attemptId: 'attempt',
      address: '0xaa',
      asset: 'polygon/usdc',
      due: 25n,
      worth: () => 0n,
      lockedUntil: STARTS_AT + 600_000,
      isFlooded: false,
    }
    chain.add({ to: '0xaa', asset: 'polygon/usdc', amount: 25n, kind: 'payment' }).height = chain.head
    const rows = { orders: [{ id: 'order', status: 'EXPIRED' }], payments: [] }
    expect(checkOrders(chain, [order], rows)).toEqual([
      'order 1 is EXPIRED, but 25 polygon/usdc arrived in time',
    ])
    expect(checkPayments(chain, [order], rows)).toEqual([
      'order 1: 25 polygon/usdc arrived, but 0 is recorded',
    ])
  })

  test('begins each transaction of a Solana account with the balance that the one before it left', () => {
    const [to, asset] = [plans.solana.payout, 'solana/usdc']
    const mint = registry.assets.find(({ id }) => id === asset)!.contract!
    const clock = () => STARTS_AT + 60_000
    const chain = new Chain({ clock, startsAt: STARTS_AT, firstHeight: 9, blockMs: 2000 })
    for (const more of [{ looks: 'other-program' }, {}] as const)
      chain.add({ ...{ to, asset, amount: 25n, kind: 'payment' }, ...more }).height = chain.head
    const contracts = new Map([[asset, mint]])
    const parts = { chain, setup: setupOf('solana'), index: 0, contracts, targets: () => [] }
    const front = plans.solana.front(parts)
    const ask = (method: string, ...params: unknown[]) =>
      JSON.parse(front.answer({ path: '/', body: JSON.stringify({ id: 1, method, params }) }, null).text)
        .result
    const listed: { signature: string }[] = ask('getSignaturesForAddress', tokenAccountOf(to, mint), {})
    const balances = listed.toReversed().map(({ signature }) => {
      const { meta } = ask('getTransaction', signature)
      return [meta.preTokenBalances, meta.postTokenBalances].map(([one]) => one.uiTokenAmount.amount)
    })
    expect(balances).toEqual([['0', '25']])
  })

  test('gives each lie a name of its own', () => {
    const names = lies.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })
})
