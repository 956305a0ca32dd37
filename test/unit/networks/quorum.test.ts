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

type Teller = (watch: Watch) => WatchResult | null

const detected = (own: Partial<DetectedPayment> = {}): DetectedPayment => ({
  txId: 'tx',
  txIndex: '0',
  assetId: 'chain/coin',
  amount: 5n,
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
  cursor: 'kept',
  requiredEndpoints,
})

const telling =
  (detectedPayments: DetectedPayment[], cursor = 'new'): Teller =>
  ({ attemptId }) => ({ attemptId, detectedPayments, completeFrom: 1, cursor, outflows: [] })

/** What is told after all, by endpoints that each tell in their own way. */
function ask(watches: Watch[], ...tellers: (Teller | 'down')[]) {
  const asked: string[] = []
  const endpoints = new Endpoints<Teller | 'down'>({
    chain: 'chain',
    members: tellers.map((node, index) => ({ host: `${index}.example`, node })),
    verifyChain: async () => {},
    clock: () => 0,
  })
  const look = async (teller: Teller | 'down', own: Watch[]): Promise<WatchResult[]> => {
    asked.push(own.map(({ attemptId }) => attemptId).join())
    if (teller === 'down') throw new NetworkError('cannot be reached')
    return own.map(teller).filter(one => one !== null)
  }
  return scanWithQuorum(endpoints, look, watches, cursor => `${cursor}`.slice(0, 4)).then(watched => ({
    asked,
    watched,
  }))
}

const finals = ({ watched }: { watched: WatchResult[] }) =>
  watched.map(({ detectedPayments, cursor }) => [detectedPayments.map(({ final }) => final), cursor])

const twice = watchOf('a', 2)

test.each([
  ['another transaction', detected({ txId: 'other' })],
  ['another output of it', detected({ txIndex: '1' })],
  ['another asset', detected({ assetId: 'chain/token' })],
  ['another amount', detected({ amount: 6n })],
  ['the same in another block, as on a chain that was replaced', detected({ height: 11 })],
  ['the same as not final, since it is a block behind', detected({ final: false })],
])('a second endpoint that tells %s makes nothing final', async (_, other) => {
  const told = await ask([twice], telling([detected()]), telling([other]))
  expect(finals(told)).toEqual([[[false], 'kept']])
  expect(told.watched[0]).not.toHaveProperty('outflows')
})

test.each([
  ['is not there', []],
  ['is down', ['down' as const]],
  ['does not tell of the attempt', [() => null]],
  ['tells of nothing', [telling([])]],
])('a second endpoint that %s makes nothing final, and the first look is told', async (_, others) => {
  expect(finals(await ask([twice], telling([detected()]), ...others))).toEqual([[[false], 'kept']])
})

test('a third endpoint is asked where the second is down', async () => {
  const told = await ask([twice], telling([detected()]), 'down', telling([detected()]))
  expect(finals(told)).toEqual([[[true], 'new']])
})

test('what both tell is final, though another payment is doubted; and all is looked at again', async () => {
  const both = [detected(), detected({ txId: 'second' })]
  const told = await ask([twice], telling(both), telling(both.slice(0, 1)))
  expect(finals(told)).toEqual([[[true, false], 'kept']])
})

test('a cursor that says of money what the second does not say is not kept', async () => {
  expect(finals(await ask([twice], telling([], 'less'), telling([], 'more')))).toEqual([[[], 'kept']])
  expect(finals(await ask([twice], telling([], 'less'), telling([], 'less, other block')))).toEqual([
    [[], 'less'],
  ])
  expect(finals(await ask([twice], telling([], 'less'), 'down'))).toEqual([[[], 'kept']])
})

test('only what needs two opinions, and has something to doubt, is asked of two', async () => {
  const watches = [watchOf('one', 1), watchOf('two', 2), watchOf('idle', 2)]
  const tell: Teller = watch =>
    watch.attemptId === 'idle' ? telling([], 'kept, moved')(watch) : telling([detected()])(watch)
  const told = await ask(watches, tell, watch => tell(watch))
  expect(told.asked).toEqual(['one,two,idle', 'two'])
  expect(finals(told)).toEqual([
    [[true], 'new'],
    [[true], 'new'],
    [[], 'kept, moved'],
  ])
})

test('a first look that fails everywhere is a fault', async () => {
  await expect(ask([twice], 'down', 'down')).rejects.toThrow(NetworkError)
})
