import { expect, test } from 'bun:test'
import type { DetectedPayment } from '../../../src/networks/port.ts'
import { joinSmall } from '../../../src/operations/upstreams/steps/join-small.ts'
import { ASSET, attempt } from '../domain/given.ts'
import { coin } from './settlement/model.ts'

const paid = (
  txId: string,
  amountAtomic: bigint,
  change: Partial<DetectedPayment> = {},
): DetectedPayment => ({
  txId,
  txIndex: '0',
  assetId: ASSET,
  amountAtomic,
  confirmations: 1,
  final: true,
  height: 7,
  paidAt: 10,
  txIn: txId,
  evidence: null,
  inputs: [],
  ...change,
})

const decimals: Record<string, number> = { six: 6, eight: 8, nine: 9 }
const joined = (dueAtomic: bigint, payments: DetectedPayment[]) =>
  joinSmall(attempt({ dueAtomic }), id => ({ ...coin(id), decimals: decimals[id] ?? 6 }), payments)
const isJoined = (dueAtomic: bigint, payment: DetectedPayment): boolean =>
  joined(dueAtomic, [payment])[0]?.txId.startsWith('small:') === true

test('a payment of less than a thousandth of the amount due is small', () => {
  expect(isJoined(1_000_000n, paid('a', 999n))).toBe(true)
  expect(isJoined(1_000_000n, paid('a', 1_000n))).toBe(false)
})

test.each([
  ['six', 10_000n],
  ['eight', 1_000_000n],
  ['nine', 100_000n],
])('another coin with %s decimals is small below %d', (assetId, limit) => {
  expect(isJoined(1n, paid('a', limit - 1n, { assetId }))).toBe(true)
  expect(isJoined(1n, paid('a', limit, { assetId }))).toBe(false)
})

test('small payments are joined for each block and coin, once they are in a block', () => {
  const found = joined(1_000_000n, [
    paid('large', 5_000n),
    paid('a', 1n),
    paid('b', 2n, { final: false }),
    paid('c', 4n, { height: 8 }),
    paid('d', 8n, { assetId: 'six' }),
    paid('e', 16n, { height: null, final: false }),
  ])
  expect(found).toMatchObject([
    { txId: 'large', amountAtomic: 5_000n },
    { txId: 'small:attempt:7', txIndex: ASSET, amountAtomic: 3n, final: false, txIn: null },
    { txId: 'small:attempt:8', amountAtomic: 4n, final: true, txIn: 'c', evidence: { count: 1 } },
    { txId: 'small:attempt:7', txIndex: 'six', amountAtomic: 8n },
  ])
  expect(found).toHaveLength(4)
  expect(found[1]!.evidence).toMatchObject({
    count: 2,
    transactions: [
      ['a', '1'],
      ['b', '2'],
    ],
  })
})

test('the evidence of a flood names twenty of its transactions', () => {
  const flood = Array.from({ length: 21 }, (_, at) => paid(`tx ${at}`, 1n))
  const [one] = joined(1_000_000n, flood) as [DetectedPayment & { evidence: { transactions: unknown[] } }]
  expect([one.amountAtomic, one.evidence.transactions.length]).toEqual([21n, 20])
})
