import { expect, test } from 'bun:test'
import type { Attempt } from '../../../src/domain/attempt.ts'
import type { IncomingPayment } from '../../../src/domain/payment.ts'
import { paidTransaction } from '../../../src/domain/transaction.ts'
import { attempt, forwardedAttempt, order, payment } from './given.ts'

const transactionOf = (by: Attempt, ...payments: IncomingPayment[]) =>
  paidTransaction({
    ...{ id: 'transaction', order: order('UNPAID'), attempt: by, payments, now: 5 },
    received: { receivedAmount: '0.001', receivedCurrency: 'polygon/usdc' },
  })
const paid = (attemptId: string, txIn: string | null, txOut: string | null = null) =>
  payment('final', 1n, { attemptId, txIn, txOut })

test('a transaction has the hashes of the attempt that completed the order, not of another one', () => {
  const own = [
    paid('other', 'a', 'b'),
    paid('attempt', null),
    paid('attempt', 'c'),
    paid('attempt', 'd', 'e'),
  ]
  expect(transactionOf(attempt(), ...own)).toMatchObject({ txIn: 'c', txOut: 'e', transactionRef: 'c' })
  const moved = [paid('other', 'a'), paid('attempt', null, 'e')]
  expect(transactionOf(attempt(), ...moved)).toMatchObject({ txIn: null, txOut: 'e', transactionRef: 'e' })
  expect(transactionOf(attempt())).toMatchObject({ txIn: null, txOut: null, transactionRef: null })
})

test('the fee was collected only if the provider that completed the order split it', () => {
  const collected = [attempt(), forwardedAttempt(), forwardedAttempt({ feeSplit: true })].map(
    by => transactionOf(by).feeCollection,
  )
  expect(collected).toEqual(['ACCOUNTED_NOT_COLLECTED', 'ACCOUNTED_NOT_COLLECTED', 'PROVIDER_SPLIT'])
})
