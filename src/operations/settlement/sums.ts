import { ROUNDED } from '../../domain/attempt.ts'
import { type AttemptCredit, awaitedBy, creditedBy, creditsOf } from '../../domain/coverage.ts'
import { type Amount, amountOf, ceilDiv, minorOf } from '../../domain/money.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { VALUE_UNIT } from '../../domain/quote.ts'
import type { Case, PricedOrder } from './case.ts'

/** What an order's payments amount to, in units of value. */
export interface Sums {
  price: bigint
  /** in the order of the attempts */
  credits: readonly AttemptCredit[]
  /** what final payments count */
  settled: bigint
  /** what all payments count, also those that are only seen */
  credited: bigint
}

export const total = (values: readonly bigint[]): bigint => values.reduce((sum, one) => sum + one, 0n)

/** Parts that are rounded down are a whole again: three thirds of a price are the price. */
export const wholeAgain = (value: bigint): bigint => ceilDiv(value, ROUNDED) * ROUNDED

/** A value in the order's currency, rounded up to the minor unit, or down. */
export const moneyAbove = (value: bigint, { currency }: PricedOrder): Amount =>
  amountOf(ceilDiv(value, VALUE_UNIT), currency)
export const moneyBelow = (value: bigint, { currency }: PricedOrder): Amount =>
  amountOf(value / VALUE_UNIT, currency)

export function sumsOf(of: Case): Sums {
  const { order } = of
  const credits = creditsOf({ ...of, isHandled: handledIn(of) })
  const sums = sumsWith(order, credits)
  return isNothingAsked(of, sums) ? sumsWith(order, credits.map(withFloor)) : sums
}

/** A page counts as whole from its floor on where the buyer has no way to pay the rest. */
const withFloor = (credit: AttemptCredit): AttemptCredit => {
  const { attempt, threshold } = credit
  if (attempt.kind !== 'redirect' || attempt.floorAtomic >= threshold) return credit
  return { ...credit, threshold: attempt.floorAtomic }
}

function sumsWith(order: PricedOrder, credits: readonly AttemptCredit[]): Sums {
  return {
    price: minorOf(order.amount, order.currency) * VALUE_UNIT,
    credits,
    settled: wholeAgain(total(credits.map(credit => creditedBy(credit)))),
    credited: wholeAgain(total(credits.map(credit => creditedBy(credit, () => true)))),
  }
}

/**
 * Whether the merchant has dealt with a payment, for example sent it back, or it belongs to another order.
 */
function handledIn({ order, unmatched, isClaimed, attempts }: Case): (payment: IncomingPayment) => boolean {
  const handled = new Set(
    unmatched.flatMap(({ status, reason, decidedBy, incomingPaymentId }) =>
      // In an order that is not paid, a second payment is another order's.
      (reason === 'second_payment' && order.status !== 'PAID') ||
      (status === 'resolved' && decidedBy !== null)
        ? [incomingPaymentId]
        : [],
    ),
  )
  const isHandled = (payment: IncomingPayment) => handled.has(payment.id) || isClaimed(payment)
  // A provider's status may report a total, which includes what was dealt with.
  const totals = new Set(
    attempts.flatMap(({ attempt, payments }) =>
      attempt.provider !== null && payments.some(isHandled) ? [attempt.id] : [],
    ),
  )
  return payment =>
    !payment.settles && (isHandled(payment) || (payment.txIn === null && totals.has(payment.attemptId)))
}

/** How much of the order may stay unpaid: the same in all its attempts, fixed with the first. */
export const toleranceOf = ({ attempts }: Case): bigint => attempts[0]?.attempt.tolerance ?? 0n

/** Whether the grace of an attempt is over, and its chain was asked after that. */
export const isGraceOver = ({ attempt: { checkedAt }, graceEnd }: AttemptCredit, now: number): boolean =>
  now >= graceEnd && checkedAt !== null && checkedAt >= graceEnd

/** Whether what is left is worth too little to ask a buyer for. */
export function isNothingAsked({ attempts }: Case, { price, credited, credits }: Sums): boolean {
  const awaited = credits.map(credit => awaitedBy(credit))
  if (awaited.includes(null)) return false
  const left = price - credited - total(awaited as bigint[])
  return left > 0n && left < (attempts[0]?.attempt.dust ?? 0n)
}
