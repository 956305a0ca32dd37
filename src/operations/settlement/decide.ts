import { type Attempt, isLocked, isOpen } from '../../domain/attempt.ts'
import { creditedBy } from '../../domain/coverage.ts'
import { type OrderStatus, orderTransitions, type PaymentState } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { ANY } from '../../domain/payment-methods.ts'
import { sessionTransitions } from '../../domain/session.ts'
import { nextState } from '../../domain/state-machine.ts'
import { attemptChanges, type Outcome, stateOf } from './attempts.ts'
import { buyerMails } from './buyer-mails.ts'
import type { Case, Change, Occasion, Paying } from './case.ts'
import { endedNow } from './ending.ts'
import { acceptedPaying, coveringPaying } from './paying.ts'
import { type Sums, sumsOf, total } from './sums.ts'
import { unmatchedChanges } from './unmatched.ts'

const WAIT_MS = 60_000

/** What is decided about an order. */
interface Decision {
  /** in the order in which they are to be applied */
  changes: Change[]
  /** when to look again whether the order has expired; null if that is over */
  lookAgainAt: number | null
}

/**
 * Decides what the payments of an order amount to. This is the only place where an order is paid, expires or
 * fails, unless the merchant cancels or forces it, and where a payment becomes unmatched. The same rows lead
 * to the same decision, whatever the occasion: what has been decided already changes nothing.
 */
export function decide(given: Case, occasion: Occasion = {}): Decision {
  const { of, changes: endings } = occasion.isEnded ? endedNow(given) : { of: given, changes: [] }
  const sums = sumsOf(of)
  const paying = payingOf(of, sums, occasion)
  const joined = paying ? [] : laterParts(of, sums)
  const settling = new Set([...(paying?.payments ?? []), ...joined].map(({ id }) => id))
  const failed = occasion.hasFailed
    ? of.attempts.find(({ attempt }) => attempt.id === occasion.reported && isOpen(attempt))
    : undefined
  const outcome: Outcome = {
    status: paying ? 'PAID' : of.order.status,
    payer: paying?.attempt ?? null,
    pageShare: paying?.pageShare ?? null,
    failed: failed?.attempt ?? null,
    settles: payment => payment.settles || settling.has(payment.id),
  }
  const { as, lookAgainAt } = closingOf(of, sums, outcome, occasion)
  if (as) outcome.status = as === 'fail' ? 'FAILED' : 'EXPIRED'
  const unmatched = unmatchedChanges(of, sums, { ...outcome, accepted: occasion.accepted ?? null })
  const changes: Change[] = [
    ...endings,
    ...joined.map(
      ({ id }): Change => ({
        do: 'change payment',
        id,
        change: { settles: true, updatedAt: of.now },
      }),
    ),
    ...(paying ? [{ do: 'pay' as const, paying }] : []),
    ...(as ? [{ do: 'close' as const, as, expiresAt: of.order.expiresAt }] : []),
    ...sums.credits.flatMap(credit => attemptChanges(of, sums, credit, outcome)),
    ...unmatched,
    ...paymentStateChange(of, sums, outcome, isMore(paying, unmatched)),
  ]
  return { lookAgainAt, changes: [...changes, ...buyerMails(of, sums, changes)] }
}

function payingOf(of: Case, sums: Sums, { accepted, reported }: Occasion): Paying | null {
  const { order, session } = of
  const isPayable =
    nextState(orderTransitions, order.status, 'settle') !== undefined &&
    nextState(sessionTransitions, session.status, 'settle') !== undefined
  if (!isPayable) return null
  return accepted ? acceptedPaying(of, sums, accepted) : coveringPaying(of, sums, reported)
}

/**
 * What arrived after an order was paid belongs to its settlement as far as the tolerance left something
 * unpaid. What was recorded as unmatched stays so.
 */
function laterParts(of: Case, { credits, price }: Sums): IncomingPayment[] {
  const { settlement, unmatched, order } = of
  if (order.status !== 'PAID' || settlement === null || settlement.verdict === 'accepted') return []
  const known = new Set(unmatched.map(({ incomingPaymentId }) => incomingPaymentId))
  const candidates = credits
    .flatMap(one => one.credits)
    .filter(({ payment, rest }) => rest !== null && payment.state === 'final' && !payment.settles)
    .map(({ payment }) => payment)
    .filter(({ id }) => !known.has(id))
    .sort((one, other) => one.paidAt - other.paidAt || (one.txId < other.txId ? -1 : 1))
  const countedWith = (parts: readonly IncomingPayment[]): bigint => {
    const ids = new Set(parts.map(({ id }) => id))
    const counted = credits.map(credit =>
      creditedBy(credit, ({ payment }) => payment.settles || ids.has(payment.id)),
    )
    return total(counted)
  }
  const joined: IncomingPayment[] = []
  for (const candidate of candidates) {
    if (countedWith([...joined, candidate]) <= price) joined.push(candidate)
  }
  return joined
}

/** Whether more arrived than the order asked for. */
const isMore = (paying: Paying | null, unmatched: readonly Change[]): boolean =>
  paying?.isOver === true ||
  unmatched.some(change => change.do === 'add unmatched' && change.row.reason === 'second_payment')

/** What people have to know about the payments of an order beside its status. */
function paymentStateChange(of: Case, sums: Sums, outcome: Outcome, isOver: boolean): Change[] {
  const { order } = of
  const paymentState = paymentStateOf(of, sums, outcome, isOver)
  return paymentState === order.paymentState ? [] : [{ do: 'set payment state', paymentState }]
}

const unpaidStatuses: readonly OrderStatus[] = ['UNPAID', 'EXPIRED']

function paymentStateOf(of: Case, sums: Sums, outcome: Outcome, isOver: boolean): PaymentState | null {
  const { status } = outcome
  if (status === 'PAID') return isOver || of.order.paymentState === 'OVERPAID' ? 'OVERPAID' : null
  if (!unpaidStatuses.includes(status)) return null
  const states = sums.credits.map(credit => stateOf(of, sums, credit, outcome))
  if (states.includes('confirming')) return 'CONFIRMING'
  return sums.credited > 0n ? 'PART_PAID' : null
}

/** How an order ends without being paid. */
interface Closing {
  as: 'expire' | 'fail' | null
  /** when to look again whether it has expired; null if that is over */
  lookAgainAt: number | null
}

/** Whether an unpaid order expires or fails now. */
function closingOf(of: Case, sums: Sums, outcome: Outcome, { isEnded }: Occasion): Closing {
  const { order, session, now } = of
  const can = (trigger: 'expire' | 'fail') =>
    outcome.status === 'UNPAID' && nextState(sessionTransitions, session.status, trigger) !== undefined
  // The buyer of a coin can choose another coin.
  const isOnlyMethod = order.methodKeys.length === 1 && order.methodKeys[0] !== ANY
  if (outcome.failed?.kind === 'redirect' && isOnlyMethod && sums.credited === 0n && can('fail')) {
    return { as: 'fail', lookAgainAt: null }
  }
  if (!can('expire')) return { as: null, lookAgainAt: null }
  if (isEnded) return { as: 'expire', lookAgainAt: null }
  if (now < order.expiresAt) return { as: null, lookAgainAt: order.expiresAt }
  const holding = sums.credits
    .map(credit => ({ ...credit.attempt, state: stateOf(of, sums, credit, outcome) }))
    .filter(attempt => holdsOpen(attempt, isUnconfirmed(of, attempt), now))
  if (holding.length === 0) return { as: 'expire', lookAgainAt: null }
  const locks = holding.filter(attempt => isLocked(attempt, now)).map(({ lockedUntil }) => lockedUntil)
  return { as: null, lookAgainAt: Math.max(now + WAIT_MS, ...locks) }
}

/** Whether anything was seen that may still be mined, in time or not. */
const isUnconfirmed = ({ attempts }: Case, { id }: Attempt): boolean =>
  attempts.some(({ attempt, payments }) => attempt.id === id && payments.some(one => one.state === 'seen'))

/** A locked, unconfirmed or not yet checked payment in a coin keeps its order open; its grace does not. */
function holdsOpen(attempt: Attempt, isUnconfirmed: boolean, now: number): boolean {
  const { kind, checkedAt, lockedUntil, watchUntil } = attempt
  if (kind !== 'address' || now > watchUntil) return false
  const isChecked = checkedAt !== null && checkedAt >= lockedUntil
  return isUnconfirmed || (isOpen(attempt) && !isChecked)
}
