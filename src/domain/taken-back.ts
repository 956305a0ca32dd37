import type { AttemptPayments } from './grace.ts'
import { minorOf, total } from './money.ts'
import type { Order } from './order.ts'
import type { IncomingPayment } from './payment.ts'
import type { Reversal } from './reversal.ts'
import type { UnmatchedPayment } from './settlement.ts'

/** Returns true for an amount that was taken back before its order was paid, and did not pay for it. */
export const isBeforePayment = ({ paidAt }: Pick<Order, 'paidAt'>, { createdAt }: Reversal): boolean =>
  paidAt !== null && createdAt < paidAt

/** The sum of reversals whose money the merchant lost or may lose, in minor units of their currency. */
export const takenBack = (reversals: readonly Pick<Reversal, 'status' | 'amount' | 'currency'>[]): bigint =>
  total(
    reversals
      .filter(({ status }) => status !== 'failed')
      .map(({ amount, currency }) => minorOf(amount, currency)),
  )

/**
 * Returns the amount of an attempt's payments that was refunded or is disputed, and so pays nothing. A paid
 * order stays paid, so the payments that settled it count even if they are taken back later.
 */
export const takenBackFrom =
  (order: Pick<Order, 'paidAt'>, reversals: readonly Reversal[]) =>
  ({ attempt, payments }: AttemptPayments): bigint => {
    const own = reversals.filter(({ attemptId }) => attemptId === attempt.id)
    const hasSettled = payments.some(({ settles }) => settles)
    return takenBack(hasSettled ? own.filter(one => isBeforePayment(order, one)) : own)
  }

/** Reduces the payments of a charge by the amount that was taken back of them, the oldest payment first. */
export function lessTakenBack<Payment extends { amountAtomic: bigint }>(
  payments: readonly Payment[],
  back: bigint,
): readonly Payment[] {
  let rest = back
  return payments.map(payment => {
    const less = rest < payment.amountAtomic ? rest : payment.amountAtomic
    rest -= less
    return less === 0n ? payment : { ...payment, amountAtomic: payment.amountAtomic - less }
  })
}

/** The start of the IDs of all refunds by which Florin sends an unmatched payment back. */
export const sendBackId = (unmatchedId: string): string => `unmatched-${unmatchedId}`

export const isSendBack = (unmatchedId: string, { id }: Reversal): boolean =>
  id.startsWith(sendBackId(unmatchedId))

/** What is left of an unmatched payment after other refunds and disputes, in units of its asset. */
export function leftOf(
  { id, attemptId }: Pick<UnmatchedPayment, 'id' | 'attemptId'>,
  { amountAtomic }: Pick<IncomingPayment, 'amountAtomic'>,
  reversals: readonly Reversal[],
): bigint {
  const others = reversals.filter(one => one.attemptId === attemptId && !isSendBack(id, one))
  const back = takenBack(others)
  return back < amountAtomic ? amountAtomic - back : 0n
}
