import type { Attempt, AttemptAtProvider } from '../../../domain/attempt.ts'
import { minorOf, total } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import type { Reversal } from '../../../domain/reversal.ts'
import { isBeforePayment, takenBack } from '../../../domain/taken-back.ts'
import type { Providers } from '../../../providers/port.ts'
import { refundingProvider } from '../send.ts'

/** A paid order with everything that its refunds depend on. */
interface PaidParts {
  order: Order
  attempts: readonly Attempt[]
  payments: readonly IncomingPayment[]
  reversals: readonly Reversal[]
}

/** The part of an order that a provider took, and what the provider can still pay back, in minor units. */
export interface RefundablePart {
  attempt: AttemptAtProvider
  left: bigint
  /** true if more of the order can be refunded than this provider took and still has */
  isPart: boolean
}

/**
 * Finds the part of an order that a provider can refund; of several, the one of which most is left. Null if
 * no provider can refund anything: other parts may have been paid in coins. Refunds that are not recorded yet
 * are no longer left, whether they are on their way or were found at the provider.
 */
export function refundablePart(
  providers: Providers,
  { order, attempts, payments, reversals }: PaidParts,
): RefundablePart | null {
  const { amount, currency, refundedAmount } = order
  const settling = payments.filter(({ settles }) => settles)
  const parts = attempts.flatMap(attempt => {
    const own = settling.filter(({ attemptId }) => attemptId === attempt.id)
    if (own.length === 0 || attempt.provider === null || !refundingProvider(providers, attempt)) return []
    const back = reversals.filter(({ attemptId }) => attemptId === attempt.id)
    const taken = total(own.map(({ amountAtomic }) => amountAtomic))
    return [{ attempt, back, left: taken - takenBack(back) }]
  })
  const unrecorded = takenBack(
    parts.flatMap(({ back }) => back.filter(one => one.refundId === null && !isBeforePayment(order, one))),
  )
  const ofOrder = minorOf(amount, currency) - minorOf(refundedAmount ?? '0', currency) - unrecorded
  const [most] = parts.toSorted((one, other) => Number(other.left - one.left))
  if (!most) return null
  const isPart = most.left < ofOrder
  return { attempt: most.attempt, left: isPart ? most.left : ofOrder, isPart }
}
