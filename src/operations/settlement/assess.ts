import { isTooLittle } from '../../domain/attempt.ts'
import { type AttemptCredit, awaitedBy, creditedBy, creditsOf, wholeAgain } from '../../domain/coverage.ts'
import type { AttemptPayments } from '../../domain/grace.ts'
import { minorOf, total } from '../../domain/money.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { VALUE_UNIT } from '../../domain/quote.ts'
import { lessTakenBack } from '../../domain/taken-back.ts'
import type { Acceptance, Case } from './case.ts'

/** A case with what its payments are worth to the order, in units of value. */
export interface Assessment extends Case {
  attempts: readonly AttemptCredit[]
  price: bigint
  /** the part of the price that may stay unpaid: fixed with the first attempt, the same in all attempts */
  tolerance: bigint
  /** the sum of all final payments */
  settled: bigint
  /** the sum of all payments, also of those that are only seen */
  credited: bigint
  /** true if something is left to pay, but too little to ask a buyer for */
  isNothingAsked: boolean
}

/**
 * Values the payments of an order, less what their providers took back. If the rest is too small to be asked
 * for, the buyer cannot pay it, so a provider's page counts as paid in full from its floor on.
 */
export function assess(given: Case): Assessment {
  const attempts = given.attempts.map(one => ({
    ...one,
    payments: lessTakenBack(one.payments, given.takenBackOf(one)),
  }))
  const of = { ...given, attempts }
  const credits = creditsOf({ ...of, isHandled: handledIn(of) })
  const assessment = withSums(of, credits)
  return assessment.isNothingAsked ? withSums(of, credits.map(fromFloor)) : assessment
}

/** Credits the payments that the merchant accepts with the value that waited for this decision. */
export function withAccepted(of: Assessment, { ids }: Acceptance): Assessment {
  const rows = of.unmatched.filter(({ id }) => ids.has(id))
  const accepted = new Set(rows.map(({ incomingPaymentId }) => incomingPaymentId))
  const attempts = of.attempts.map(credit => ({
    ...credit,
    credits: credit.credits.map(one =>
      accepted.has(one.payment.id) ? { ...one, rest: one.rest ?? one.awaited } : one,
    ),
  }))
  return withSums(of, attempts)
}

function withSums(of: Case, attempts: readonly AttemptCredit[]): Assessment {
  const first = of.attempts[0]?.attempt
  const price = minorOf(of.order.amount, of.order.currency) * VALUE_UNIT
  const settled = wholeAgain(total(attempts.map(credit => creditedBy(credit))))
  const credited = wholeAgain(total(attempts.map(credit => creditedBy(credit, () => true))))
  const awaited = awaitedBy(attempts.flatMap(({ credits }) => credits))
  const left = awaited === null ? null : price - credited - awaited
  const isNothingAsked = left !== null && left > 0n && isTooLittle(left, first)
  return { ...of, attempts, price, tolerance: first?.tolerance ?? 0n, settled, credited, isNothingAsked }
}

function fromFloor(credit: AttemptCredit): AttemptCredit {
  const { attempt, threshold } = credit
  return attempt.kind === 'redirect' && attempt.floorAtomic < threshold
    ? { ...credit, threshold: attempt.floorAtomic }
    : credit
}

/** Returns a test for payments that the merchant dealt with, a provider took back, or another order has. */
function handledIn(of: Case): (payment: IncomingPayment) => boolean {
  const { order, unmatched, attempts } = of
  const rows = unmatched.filter(
    ({ status, reason, decidedBy }) =>
      // As long as the order is not paid, only a payment that another order has is a second payment.
      (reason === 'second_payment' && order.status !== 'PAID') ||
      (status === 'resolved' && decidedBy !== null),
  )
  const takenBack = attempts.flatMap(one => one.payments.filter(payment => isTakenBack(of, one, payment)))
  const ids = new Set([...rows.map(row => row.incomingPaymentId), ...takenBack.map(({ id }) => id)])
  const isHandled = (payment: IncomingPayment) => ids.has(payment.id) || of.isClaimed(payment)
  // A provider's status may report a total, which includes payments that were dealt with.
  const withTotals = attempts.filter(one => one.attempt.provider !== null && one.payments.some(isHandled))
  const totals = new Set(withTotals.map(({ attempt }) => attempt.id))
  return payment =>
    !payment.settles && (isHandled(payment) || (payment.txIn === null && totals.has(payment.attemptId)))
}

/** Returns true for a payment that its provider took back, so that nothing of it is left. */
export const isTakenBack = ({ takenBackOf }: Case, of: AttemptPayments, one: IncomingPayment): boolean =>
  one.amountAtomic === 0n && takenBackOf(of) > 0n
