import { type Attempt, rateOf } from './attempt.ts'
import {
  type AttemptCredit,
  arrived,
  creditedBy,
  type OrderPayments,
  type PaymentCredit,
} from './coverage.ts'
import { receivedSum } from './fiat.ts'
import type { Json } from './metadata.ts'
import type { IncomingPayment } from './payment.ts'
import { moneyBelow } from './quote.ts'
import type { UnmatchedPayment } from './settlement.ts'

/** Returns true for a payment that pays the order. */
export type Counts = (credit: PaymentCredit) => boolean

/** The payments of an attempt in one coin that `counts` selects. */
export const paymentsIn = ({ credits }: AttemptCredit, assetId: string, counts: Counts): IncomingPayment[] =>
  credits.flatMap(one => (one.payment.assetId === assetId && counts(one) ? [one.payment] : []))

/**
 * The decimals of a coin that arrived for an attempt. A provider may report a coin that Florin does not know.
 */
export function coinOf({ assetOf }: Pick<OrderPayments, 'assetOf'>, attempt: Attempt, assetId: string) {
  const known = assetId === attempt.assetId ? attempt : assetOf(assetId)
  return { assetId, decimals: known?.decimals ?? (attempt.provider === null ? 0 : attempt.decimals) }
}

/** What arrived for an attempt in one coin or currency, and its value in the order's currency. */
export type SettledPart = Record<'attemptId' | 'methodKey' | 'assetId' | 'amount' | 'credited', string>

/** The contribution of an attempt in each coin, for the evidence and `payment.paid`. */
export function partsOf(
  of: Pick<OrderPayments, 'order' | 'assetOf'>,
  credit: AttemptCredit,
  counts: Counts,
): SettledPart[] {
  const { attempt, credits } = credit
  const coins = new Set(credits.filter(counts).map(({ payment }) => payment.assetId))
  return [...coins].map(assetId => ({
    attemptId: attempt.id,
    methodKey: attempt.methodKey,
    assetId,
    amount: receivedSum(arrived(attempt, paymentsIn(credit, assetId, counts)), coinOf(of, attempt, assetId))
      .receivedAmount,
    credited: moneyBelow(
      creditedBy(credit, one => counts(one) && one.payment.assetId === assetId),
      of.order,
    ),
  }))
}

/** The quote of the attempt that completed an order, and what arrived for it in its own coin. */
export const quoteEvidence = (attempt: Attempt, confirmedAtomic: bigint) => ({
  dueAtomic: attempt.dueAtomic.toString(),
  thresholdAtomic: attempt.thresholdAtomic.toString(),
  confirmedAtomic: confirmedAtomic.toString(),
  missingAtomic: (attempt.dueAtomic > confirmedAtomic ? attempt.dueAtomic - confirmedAtomic : 0n).toString(),
  ...rateOf(attempt),
})

/** A payment that paid an order, as the settlement of the order stores it. */
export function evidenceOf(
  { order, unmatched }: Pick<OrderPayments, 'order'> & { unmatched: readonly UnmatchedPayment[] },
  credit: PaymentCredit,
): { [key: string]: Json } {
  const { payment, value, rate, inTime } = credit
  const { attemptId, source, txId, txIndex, assetId, amountAtomic } = payment
  const { confirmations, height, paidAt, minedAt, evidence } = payment
  const row = unmatched.find(({ incomingPaymentId }) => incomingPaymentId === payment.id)
  return {
    ...{ attemptId, source, txId, txIndex, assetId, confirmations, height, paidAt, minedAt, evidence },
    amount: amountAtomic.toString(),
    value: value === null ? null : moneyBelow(value, order),
    // The rate of the late part; null for a payment that arrived in time.
    lateRate: inTime === amountAtomic ? null : rate,
    ...(row && { unmatchedId: row.id, reason: row.reason }),
  }
}
