import { type AttemptState, isLocked, isOpen } from '../../domain/attempt.ts'
import { type AttemptCredit, creditedBy, type PaymentCredit } from '../../domain/coverage.ts'
import { total } from '../../domain/money.ts'
import type { PaymentState } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { ANY } from '../../domain/payment-methods.ts'
import type { Paying } from '../../domain/settlement-outcome.ts'
import { notify } from '../incoming/moved.ts'
import { settlementNews } from '../notices/settlement-news.ts'
import { canTransition } from '../states/transition.ts'
import { type Assessment, assess, withAccepted } from './assess.ts'
import { attemptChanges, endedCase, stateOf } from './attempts.ts'
import { type Case, type Change, isClosed, type Occasion, type Outcome } from './case.ts'
import { buyerMails } from './mails.ts'
import { acceptedPaying, coveringPaying } from './paying.ts'
import { unmatchedChanges } from './unmatched.ts'

/** Least time until an order that stays open after its expiry is reviewed again. */
const REVIEW_AFTER_MS = 60_000

/** What has to change because of the payments of an order, and when the order has to be reviewed again. */
interface Decision {
  /** changes in the order in which they are to be applied */
  changes: Change[]
  /** the next time to review an order that may expire; null if it cannot expire any more */
  reviewAt: number | null
}

/**
 * Decides what the payments of an order amount to. This is the only place where an order is paid, expires or
 * fails, unless the merchant cancels or forces it, and where a payment becomes unmatched. The same rows lead
 * to the same decision, whatever the occasion: what has been decided already changes nothing.
 */
export function decide(given: Case, occasion: Occasion = {}): Decision {
  const { of: current, changes: endings } = occasion.isEnded ? endedCase(given) : { of: given, changes: [] }
  const assessed = assess(current)
  const of = occasion.accepted ? withAccepted(assessed, occasion.accepted) : assessed
  const paying = payingOf(of, occasion)
  const added = addedParts(of)
  const byPayments = outcomeOf(of, occasion, paying, added)
  const { trigger, reviewAt } = closingOf(of, byPayments, occasion)
  const status = trigger === null ? byPayments.status : trigger === 'fail' ? 'FAILED' : 'EXPIRED'
  const outcome: Outcome = { ...byPayments, status }
  const unmatched = unmatchedChanges(of, outcome)
  const paymentState = paymentStateOf(of, outcome, unmatched)
  const changes: Change[] = [
    ...endings,
    ...added.map(({ id }) => paymentChange(of, id, { settles: true })),
    ...valueChanges(of),
    ...(paying ? [{ do: 'pay' as const, paying }, ...settlementNews(of, paying).map(notify)] : []),
    ...(trigger ? [{ do: 'close' as const, trigger, expiresAt: of.order.expiresAt, paymentState }] : []),
    ...of.attempts.flatMap(credit => attemptChanges(of, credit, outcome)),
    ...unmatched,
    ...(paymentState === of.order.paymentState ? [] : [{ do: 'set payment state' as const, paymentState }]),
  ]
  return { reviewAt, changes: [...changes, ...buyerMails(of, changes)] }
}

function payingOf(of: Assessment, { accepted, reported }: Occasion): Paying | null {
  if (!canTransition(of, 'settle')) return null
  return accepted ? acceptedPaying(of, accepted) : coveringPaying(of, reported)
}

/**
 * The payments that arrived after an order was paid and become parts of its settlement, because the tolerance
 * had left something unpaid. Payments that are recorded as unmatched stay unmatched.
 */
function addedParts({ settlement, unmatched, order, attempts, price }: Assessment): IncomingPayment[] {
  if (order.status !== 'PAID' || settlement === null || settlement.verdict === 'accepted') return []
  const known = new Set(unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  const candidates = attempts
    .flatMap(({ credits }) => credits)
    .filter(({ payment, rest }) => rest !== null && payment.state === 'final' && !payment.settles)
    .map(({ payment }) => payment)
    .filter(({ id }) => !known.has(id))
    .sort((one, other) => one.paidAt - other.paidAt || (one.txId < other.txId ? -1 : 1))
  const added = new Set<IncomingPayment>()
  const isPart = ({ payment }: PaymentCredit) => payment.settles || added.has(payment)
  for (const candidate of candidates) {
    added.add(candidate)
    if (total(attempts.map(credit => creditedBy(credit, isPart))) > price) added.delete(candidate)
  }
  return [...added]
}

/** The outcome as far as payments decide it: an unpaid order may also expire or fail, see `closingOf`. */
function outcomeOf(
  { order, attempts }: Assessment,
  { hasFailed, isPageOver, reported, accepted }: Occasion,
  paying: Paying | null,
  added: readonly IncomingPayment[],
): Outcome {
  const settling = new Set([...(paying?.payments ?? []), ...added].map(({ id }) => id))
  const failed = attempts.find(({ attempt }) => hasFailed && attempt.id === reported && isOpen(attempt))
  return {
    status: paying ? 'PAID' : order.status,
    paying,
    failed: failed?.attempt ?? null,
    pageOver: isPageOver ? (reported ?? null) : null,
    accepted: accepted ?? null,
    settles: payment => payment.settles || settling.has(payment.id),
  }
}

/** Decides if an unpaid order expires or fails now, and if not, when it has to be reviewed again. */
function closingOf(
  of: Assessment,
  outcome: Outcome,
  { isEnded }: Occasion,
): Pick<Decision, 'reviewAt'> & { trigger: 'expire' | 'fail' | null } {
  const { order, now } = of
  const can = (trigger: 'expire' | 'fail') => outcome.paying === null && canTransition(of, trigger)
  // An order fails with the page of its only method, unless a payment counts or waits for the merchant. A
  // failed payment in a coin fails no order, because the buyer can choose another coin.
  const isOnlyMethod = order.methodKeys.length === 1 && order.methodKeys[0] !== ANY
  const hasNothing = of.attempts.every(({ credits }) => credits.length === 0)
  if (outcome.failed?.kind === 'redirect' && isOnlyMethod && hasNothing && can('fail')) {
    return { trigger: 'fail', reviewAt: null }
  }
  if (!can('expire')) return { trigger: null, reviewAt: null }
  if (isEnded) return { trigger: 'expire', reviewAt: null }
  if (now < order.expiresAt) return { trigger: null, reviewAt: order.expiresAt }
  const holding = of.attempts
    .filter(credit => holdsOpen(credit, stateOf(of, credit, outcome), now))
    .map(({ attempt }) => attempt)
  if (holding.length === 0) return { trigger: 'expire', reviewAt: null }
  const locks = holding.filter(attempt => isLocked(attempt, now)).map(({ lockedUntil }) => lockedUntil)
  return { trigger: null, reviewAt: Math.max(now + REVIEW_AFTER_MS, ...locks) }
}

/**
 * Returns true if an attempt keeps its order open: while a payment is on its way, and at an address also
 * until it was checked after the end of its lock. A grace keeps no order open. `state` is its new state.
 */
function holdsOpen({ attempt, payments }: AttemptCredit, state: AttemptState, now: number): boolean {
  const { kind, checkedAt, lockedUntil, watchUntil } = attempt
  if (now > watchUntil) return false
  // A seen payment may still be mined, in time or not.
  if (payments.some(payment => payment.state === 'seen')) return true
  return kind === 'address' && isOpen({ state }) && !(checkedAt !== null && checkedAt >= lockedUntil)
}

/** The payment state that lists and pages show beside the status of an order. */
function paymentStateOf(of: Assessment, outcome: Outcome, unmatched: readonly Change[]): PaymentState | null {
  if (outcome.status === 'PAID') {
    const isOverpaid =
      outcome.paying?.isOverpaid ||
      of.order.paymentState === 'OVERPAID' ||
      unmatched.some(change => change.do === 'add unmatched' && change.row.reason === 'second_payment')
    return isOverpaid ? 'OVERPAID' : null
  }
  if (isClosed(outcome.status)) return null
  if (of.attempts.some(credit => stateOf(of, credit, outcome) === 'confirming')) return 'CONFIRMING'
  return of.credited > 0n ? 'PART_PAID' : null
}

/**
 * Keeps the rates of payments in blocks: those of a day are deleted after a week, and a payment may wait for
 * a second endpoint. Keeps which final payments count although they were late or in another coin.
 */
function valueChanges(of: Assessment): Change[] {
  const credits = of.attempts.flatMap(one => one.credits)
  return credits.flatMap(({ payment, inTime, rest }) => {
    const isFinal = payment.state === 'final'
    const rate = isFinal || payment.height !== null ? of.rateOf(payment) : payment.rate
    const counts = payment.counts || (isFinal && rest !== null && inTime < payment.amountAtomic)
    const isSame = rate === payment.rate && counts === payment.counts
    return isSame ? [] : [paymentChange(of, payment.id, { rate, counts })]
  })
}

const paymentChange = ({ now }: Assessment, id: string, change: Partial<IncomingPayment>): Change => ({
  do: 'change payment',
  id,
  change: { ...change, updatedAt: now },
})
