import { expect, test } from 'bun:test'
import type { IncomingPayment } from '../../../../src/domain/payment.ts'
import { mergeReport, type ReportedPayment } from '../../../../src/operations/settlement/merge.ts'
import { attempt } from '../../domain/given.ts'

const reported = (
  txId: string,
  amountAtomic: bigint,
  change: Partial<ReportedPayment> = {},
): ReportedPayment => ({
  txId,
  txIndex: '0',
  assetId: 'polygon/usdc',
  amountAtomic,
  confirmations: 0,
  final: false,
  height: null,
  paidAt: 10,
  txIn: txId,
  evidence: null,
  inputs: [`input of ${txId}`],
  ...change,
})

let ids = 0
function merged(known: readonly IncomingPayment[], detectedPayments: ReportedPayment[]): IncomingPayment[] {
  const about = { attempt: attempt(), now: 100, newId: () => `id ${++ids}` }
  const report = { source: 'polygon', detectedPayments, completeFrom: 0, askedAt: 100 }
  return mergeReport(about, known, report, new Set()).payments
}

/** What of all payments was seen at the first of them. */
const seenAtFirst = (payments: readonly IncomingPayment[]): bigint =>
  payments
    .filter(({ state }) => state !== 'gone')
    .flatMap(({ seen }) => seen.filter(({ at }) => at === 10))
    .reduce((sum, { atomic }) => sum + BigInt(atomic), 0n)

test.each<[what: string, first: ReportedPayment[], second: ReportedPayment[], kept: bigint]>([
  ['one that is as large', [reported('a', 5n)], [reported('b', 5n, { inputs: ['input of a'] })], 5n],
  ['a larger one', [reported('a', 5n)], [reported('b', 9n, { inputs: ['input of a'] })], 5n],
  ['a smaller one', [reported('a', 5n)], [reported('b', 3n, { inputs: ['input of a'] })], 3n],
  ['one that spends something else', [reported('a', 5n)], [reported('b', 5n)], 0n],
  [
    'two that share what it spent',
    [reported('a', 5n, { inputs: ['one', 'two'] })],
    [reported('b', 5n, { inputs: ['one'] }), reported('c', 5n, { inputs: ['two'] })],
    5n,
  ],
  [
    'two outputs of one transaction',
    [reported('a', 5n)],
    [
      reported('b', 5n, { inputs: ['input of a'] }),
      reported('b', 5n, { inputs: ['input of a'], txIndex: '1' }),
    ],
    5n,
  ],
  [
    'one that replaces two',
    [reported('a', 5n), reported('b', 5n)],
    [reported('c', 10n, { inputs: ['input of a', 'input of b'] })],
    10n,
  ],
])('%s keeps the time of what it replaces, for at most its amount', (_what, first, second, kept) => {
  const known = merged([], first)
  const later = second.map(one => ({ ...one, paidAt: 90 }))
  const after = merged(known, later)
  expect(seenAtFirst(after)).toBe(kept)
  // The next report says the same.
  expect(seenAtFirst(merged(after, later))).toBe(kept)
})
