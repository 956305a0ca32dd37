import { expect, test } from 'bun:test'
import type { Asset } from '../../../src/domain/asset.ts'
import {
  type DetectedPayment,
  NetworkError,
  type Watch,
  type WatchResult,
} from '../../../src/networks/port.ts'
import { Endpoints } from '../../../src/networks/rpc/failover.ts'
import { scanWithQuorum } from '../../../src/networks/rpc/quorum.ts'
import type { GroupWatch } from '../../../src/networks/rpc/rotation.ts'

/** An endpoint's report of one watch; null leaves it out. */
type Report = (watch: Watch) => WatchResult | null

const payment = (own: Partial<DetectedPayment> = {}): DetectedPayment => ({
  txId: 'tx',
  txIndex: '0',
  assetId: 'chain/coin',
  amountAtomic: 5n,
  confirmations: 3,
  final: true,
  height: 10,
  txIn: 'tx',
  paidAt: 0,
  evidence: 'seen',
  ...own,
})

const watchOf = (attemptId: string, requiredEndpoints: number): Watch => ({
  attemptId,
  asset: {} as Asset,
  address: 'address',
  source: null,
  cursor: 'old',
  requiredEndpoints,
})

const reporting =
  (detectedPayments: DetectedPayment[], cursor = 'new'): Report =>
  ({ attemptId }) => ({ attemptId, detectedPayments, completeFrom: 1, cursor, outflows: [] })

/** Scans with endpoints that report in different ways. The first three letters of a cursor are its state. */
async function scan(watches: Watch[], ...reports: (Report | 'down')[]) {
  const scanned: string[] = []
  const endpoints = new Endpoints<Report | 'down'>({
    chain: 'chain',
    members: reports.map((node, index) => ({ host: `${index}.example`, node })),
    verifyChain: async () => {},
    clock: () => 0,
  })
  const scanOne = async (report: Report | 'down', own: Watch[]): Promise<WatchResult[]> => {
    scanned.push(own.map(({ attemptId }) => attemptId).join())
    if (report === 'down') throw new NetworkError('cannot be reached')
    return own.map(report).filter(one => one !== null)
  }
  const results = await scanWithQuorum(endpoints, scanOne, watches, cursor => `${cursor}`.slice(0, 3))
  return { scanned, results }
}

const summarize = ({ results }: { results: WatchResult[] }) =>
  results.map(({ detectedPayments, cursor }) => [detectedPayments.map(({ final }) => final), cursor])

const twice = watchOf('a', 2)

test.each([
  ['another transaction', payment({ txId: 'other' })],
  ['another output of it', payment({ txIndex: '1' })],
  ['another asset', payment({ assetId: 'chain/token' })],
  ['another amount', payment({ amountAtomic: 6n })],
  ['the same in another block, as on a replaced chain', payment({ height: 11 })],
  ['the same as not final, being a block behind', payment({ final: false })],
  ['the same in a block of another time', payment({ paidAt: 61_000 })],
])('a second endpoint that reports %s makes nothing final', async (_, other) => {
  const scanned = await scan([twice], reporting([payment()]), reporting([other]))
  expect(summarize(scanned)).toEqual([[[false], 'old']])
  expect(scanned.results[0]).not.toHaveProperty('outflows')
})

test.each([
  ['does not exist', []],
  ['is down', ['down' as const]],
  ['leaves the attempt out', [() => null]],
  ['reports nothing', [reporting([])]],
])('a second endpoint that %s makes nothing final, and the payment stays detected', async (_, others) => {
  expect(summarize(await scan([twice], reporting([payment()]), ...others))).toEqual([[[false], 'old']])
})

test.each([
  ['reports nothing', [reporting([])]],
  ['is down', ['down' as const]],
])('a payment below the cursor is not final if a second endpoint %s', async (_, others) => {
  const late: Report = watch => ({ ...reporting([payment()])(watch)!, completeFrom: 11 })
  expect(summarize(await scan([twice], late, ...others))).toEqual([[[false], 'old']])
  expect(summarize(await scan([twice], late, watch => late(watch)))).toEqual([[[true], 'new']])
})

test('the second endpoint reads the blocks of a payment below the cursor again', async () => {
  const read: unknown[] = []
  const late =
    (completeFrom: number, completeTo = 20): Report =>
    watch => {
      read.push((watch as GroupWatch).isTakenOver)
      return { ...reporting([payment()])(watch)!, completeFrom, completeTo }
    }
  await scan([twice], late(11), late(11))
  await scan([twice], late(10), late(10))
  // A scan that is incomplete is complete from above its newest block.
  await scan([twice], late(21), late(21))
  expect(read).toEqual([undefined, true, undefined, undefined, undefined, undefined])
})

const unprovenTx = { txId: 'tx', assetId: 'chain/coin', amountAtomic: 5n, paidAt: 0, endpoint: '' }

test('a final payment is disputed unless a second endpoint confirms it', async () => {
  const disputed = async (own: DetectedPayment, other: DetectedPayment) => {
    const { results } = await scan([twice], reporting([own]), reporting([other]))
    return results[0]!.detectedPayments.map(({ isDisputed = false }) => isDisputed)
  }
  expect(await disputed(payment(), payment())).toEqual([false])
  expect(await disputed(payment({ amountAtomic: 50n }), payment())).toEqual([true])
  expect(await disputed(payment({ final: false }), payment())).toEqual([false])
})

test.each<[string, (Report | 'down')[], object[] | undefined]>([
  ['lacks it', [reporting([])], [unprovenTx]],
  ['reports another amount', [reporting([payment({ amountAtomic: 6n })])], [unprovenTx]],
  ['does not call it final', [reporting([payment({ final: false })])], undefined],
  ['is down', ['down'], [unprovenTx]],
  ['does not exist', [], [unprovenTx]],
  ['reports it too', [reporting([payment()])], undefined],
])(
  'a payment is named as unproven unless another endpoint reports it: one %s',
  async (_, others, unproven) => {
    const { results } = await scan([twice], reporting([payment()]), ...others)
    expect(results[0]!.unproven as object[] | undefined).toEqual(unproven)
  },
)

test('of two times that differ a little, the later one counts, and none if one endpoint knows no time', async () => {
  const timesOf = async (own: Partial<DetectedPayment>, other: Partial<DetectedPayment>) => {
    const { results } = await scan([twice], reporting([payment(own)]), reporting([payment(other)]))
    return results[0]!.detectedPayments.map(({ final, paidAt, isUndated }) => [final, paidAt, isUndated])
  }
  expect(await timesOf({ paidAt: 2000 }, { paidAt: 7000 })).toEqual([[true, 7000, undefined]])
  expect(await timesOf({ paidAt: 7000 }, { paidAt: 2000 })).toEqual([[true, 7000, undefined]])
  expect(await timesOf({ paidAt: 2000 }, { paidAt: 900_000, isUndated: true })).toEqual([
    [true, 900_000, true],
  ])
  expect(await timesOf({ paidAt: 900_000, isUndated: true }, { paidAt: 2000 })).toEqual([
    [true, 900_000, true],
  ])
})

test('a third endpoint is used if the second is down', async () => {
  const scanned = await scan([twice], reporting([payment()]), 'down', reporting([payment()]))
  expect(summarize(scanned)).toEqual([[[true], 'new']])
})

test.each([
  ['leaves it out', reporting([])],
  ['is behind', reporting([payment({ final: false })])],
  ['has another state', reporting([payment()], 'two')],
])('a third endpoint is used if the second %s', async (_, second) => {
  const scanned = await scan([twice], reporting([payment()]), second, reporting([payment()]))
  expect(summarize(scanned)).toEqual([[[true], 'new']])
  expect(scanned.scanned).toHaveLength(3)
})

test('each of two payments can be confirmed by a different endpoint', async () => {
  const both = [payment(), payment({ txId: 'second' })]
  const [one, other] = both.map(only => reporting([only]))
  expect(summarize(await scan([twice], reporting(both), one!, other!))).toEqual([[[true, true], 'new']])
})

test('a payment that both endpoints report is final beside one that only the first reports', async () => {
  const both = [payment(), payment({ txId: 'second' })]
  const scanned = await scan([twice], reporting(both), reporting(both.slice(0, 1)))
  expect(summarize(scanned)).toEqual([[[true, false], 'old']])
})

test('a cursor that the second endpoint does not confirm is not stored', async () => {
  expect(summarize(await scan([twice], reporting([], 'one'), reporting([], 'two')))).toEqual([[[], 'old']])
  const otherBlock = reporting([], 'one, other block')
  expect(summarize(await scan([twice], reporting([], 'one'), otherBlock))).toEqual([[[], 'one']])
  expect(summarize(await scan([twice], reporting([], 'one'), 'down'))).toEqual([[[], 'old']])
})

test('a second endpoint scans only watches that require two and have something to confirm', async () => {
  const watches = [watchOf('one', 1), watchOf('two', 2), watchOf('idle', 2)]
  const report: Report = watch =>
    watch.attemptId === 'idle' ? reporting([], 'old, moved')(watch) : reporting([payment()])(watch)
  const scanned = await scan(watches, report, watch => report(watch))
  expect(scanned.scanned).toEqual(['one,two,idle', 'two'])
  expect(summarize(scanned)).toEqual([
    [[true], 'new'],
    [[true], 'new'],
    [[], 'old, moved'],
  ])
})

// Nodes do not have the same unconfirmed payments, so honest buyers would lose their quoted price.
test('an unconfirmed payment is reported as seen by one endpoint, and needs no second one', async () => {
  const unconfirmed = payment({ height: null, confirmations: 0, final: false })
  const scanned = await scan([twice], reporting([unconfirmed], 'old, moved'), reporting([]))
  expect(summarize(scanned)).toEqual([[[false], 'old, moved']])
  expect(scanned.scanned).toEqual(['a'])
})

test('a first scan that fails at every endpoint is a network error', async () => {
  await expect(scan([twice], 'down', 'down')).rejects.toThrow(NetworkError)
})
