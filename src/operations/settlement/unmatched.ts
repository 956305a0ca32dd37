import type { Attempt } from '../../domain/attempt.ts'
import type { AttemptCredit, PaymentCredit } from '../../domain/coverage.ts'
import type { UnmatchedChoice } from '../../domain/notification-facts.ts'
import type { OrderStatus } from '../../domain/order.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { UnmatchedPayment, UnmatchedReason } from '../../domain/settlement.ts'
import { arrivedText } from '../notices/sum-text.ts'
import type { Acceptance, Case, Change, UnmatchedFacts } from './case.ts'
import { isGraceOver, isNothingAsked, moneyAbove, moneyBelow, type Sums } from './sums.ts'

/** How the order is after the decision. */
interface After {
  status: OrderStatus
  settles(payment: IncomingPayment): boolean
  accepted: Acceptance | null
}

/** What is recorded as unmatched, and what becomes of what was: a row for each payment, forever. */
export function unmatchedChanges(of: Case, sums: Sums, after: After): Change[] {
  const rows = new Map(of.unmatched.map(row => [row.incomingPaymentId, row]))
  return of.attempts.flatMap(({ attempt, payments }) => {
    const credit = sums.credits.find(one => one.attempt.id === attempt.id) as AttemptCredit
    return payments.flatMap(payment => {
      const row = rows.get(payment.id)
      const counted = credit.credits.find(one => one.payment.id === payment.id) ?? null
      if (row) return changeOf(of, sums, after, { row, attempt, payment, counted })
      if (payment.state !== 'final' || after.settles(payment)) return []
      const reason = reasonOf(of, sums, { status: after.status, payment, credit, counted })
      return reason === null ? [] : [newRow(of, sums, after.status, { attempt, payment, counted, reason })]
    })
  })
}

interface Examined {
  status: OrderStatus
  payment: IncomingPayment
  credit: AttemptCredit
  /** null if it belongs to another order, or is a total that includes what the merchant has dealt with */
  counted: PaymentCredit | null
}

/** Why a final payment is unmatched; null if it counts, and more may come. */
function reasonOf(of: Case, sums: Sums, examined: Examined): UnmatchedReason | null {
  const { status, payment, credit } = examined
  const { attempt } = credit
  const isOther = payment.assetId !== attempt.assetId
  if (isOther && !of.countsOther(attempt, payment.assetId)) return 'wrong_asset'
  if (status === 'CANCELLED' || status === 'FAILED' || of.order.forcedAt !== null) return 'order_closed'
  if (status === 'PAID' || of.isClaimed(payment)) return 'second_payment'
  if (payment.paidAt > attempt.watchUntil) return 'too_late'
  return reasonWhileOpen(of, sums, examined)
}

/** The same for an order that can still be paid. */
function reasonWhileOpen(of: Case, sums: Sums, { status, payment, credit, counted }: Examined) {
  const { attempt } = credit
  if (counted === null) return payment.paidAt > attempt.lockedUntil ? 'late' : 'underpaid'
  if (counted.rest === null) return counted.isLate ? 'late' : 'wrong_asset'
  const isOver = status === 'EXPIRED' || (attempt.kind === 'address' && isGraceOver(credit, of.now))
  if (!isOver && !isNothingAsked(of, sums)) return null
  return counted.isLate ? 'late' : 'underpaid'
}

/**
 * What a payment leaves unpaid of the order, if the merchant accepts it; null if nothing, or if it is
 * unknown.
 */
function shortfallOf(
  { order }: Case,
  { price, settled }: Sums,
  status: OrderStatus,
  { counted }: { counted: PaymentCredit | null },
): string | null {
  if ((status !== 'UNPAID' && status !== 'EXPIRED') || counted === null) return null
  if (counted.awaited === null) return null
  const missing = price - settled - counted.awaited
  return missing > 0n ? moneyAbove(missing, order) : null
}

interface Recorded {
  row: UnmatchedPayment
  attempt: Attempt
  payment: IncomingPayment
  counted: PaymentCredit | null
}

/** A row is closed when its payment pays the order; until then it says what is missing. */
function changeOf(of: Case, sums: Sums, after: After, recorded: Recorded): Change[] {
  const { row, payment } = recorded
  if (row.status !== 'open') return []
  const change = (fields: Partial<UnmatchedPayment>): Change[] => [
    { do: 'change unmatched', id: row.id, change: { ...fields, updatedAt: of.now } },
  ]
  const { accepted } = after
  if (accepted?.ids.has(row.id))
    return change({ status: 'accepted', shortfall: null, note: accepted.reason, decidedBy: accepted.by })
  if (after.settles(payment)) return change({ status: 'resolved', shortfall: null })
  const shortfall = shortfallOf(of, sums, after.status, recorded)
  return shortfall === row.shortfall ? [] : change({ shortfall })
}

interface Unmatched {
  attempt: Attempt
  payment: IncomingPayment
  counted: PaymentCredit | null
  reason: UnmatchedReason
}

function newRow(
  of: Case,
  sums: Sums,
  status: OrderStatus,
  { attempt, payment, counted, reason }: Unmatched,
): Change {
  const { order, now } = of
  const value = counted === null || counted.value === null ? null : moneyBelow(counted.value, order)
  const shortfall = shortfallOf(of, sums, status, { counted })
  const facts: UnmatchedFacts = {
    reason,
    sum: arrivedText(of, attempt, payment.assetId, payment.amountAtomic),
    value: value === null ? null : `${value} ${order.currency}`,
    missing: shortfall === null ? null : { amount: shortfall, of: `${order.amount} ${order.currency}` },
    choice: choiceOf(status, value),
  }
  return {
    do: 'add unmatched',
    facts,
    row: {
      merchantId: order.merchantId,
      orderId: order.id,
      attemptId: attempt.id,
      incomingPaymentId: payment.id,
      reason,
      status: 'open',
      value,
      shortfall,
      note: null,
      decidedBy: null,
      createdAt: now,
      updatedAt: now,
    },
  }
}

/** An order that is paid or closed stays so, whatever arrives. */
function choiceOf(status: OrderStatus, value: string | null): UnmatchedChoice {
  if (status !== 'UNPAID' && status !== 'EXPIRED') return 'none'
  return value === null ? 'force' : 'accept'
}
