import type { AttemptCredit, PaymentCredit } from '../../domain/coverage.ts'
import type { UnmatchedFacts } from '../../domain/notification-facts.ts'
import type { OrderStatus } from '../../domain/order.ts'
import { type IncomingPayment, transactionIdOf } from '../../domain/payment.ts'
import { moneyAbove, moneyBelow } from '../../domain/quote.ts'
import type { UnmatchedPayment, UnmatchedReason } from '../../domain/settlement.ts'
import { arrivedSum, arrivedText } from '../notices/sum-text.ts'
import { type Assessment, isTakenBack } from './assess.ts'
import { isGraceOver } from './attempts.ts'
import { type Change, isClosed, type Outcome } from './case.ts'

/** A payment with its attempt, and what it is worth. */
interface Examined {
  credit: AttemptCredit
  payment: IncomingPayment
  /** null if it belongs to another order, or is a total that includes payments that were dealt with */
  counted: PaymentCredit | null
}

/** Adds and updates rows of unmatched payments. A payment has at most one row, which is never deleted. */
export function unmatchedChanges(of: Assessment, outcome: Outcome): Change[] {
  const rows = new Map(of.unmatched.map(row => [row.incomingPaymentId, row]))
  return of.attempts.flatMap(credit =>
    credit.payments.flatMap(payment => {
      const counted = credit.credits.find(one => one.payment.id === payment.id) ?? null
      const examined = { credit, payment, counted }
      const row = rows.get(payment.id)
      if (row) return rowChange(of, outcome, row, examined)
      if (payment.state !== 'final' || outcome.settles(payment)) return []
      if (isTakenBack(of, credit, payment)) return []
      const reason = reasonOf(of, outcome.status, examined)
      return reason === null ? [] : [newRow(of, outcome.status, examined, reason)]
    }),
  )
}

/** Closes the row of a payment that pays the order. Until then, the row shows the payment as it is now. */
function rowChange(of: Assessment, outcome: Outcome, row: UnmatchedPayment, examined: Examined): Change[] {
  if (row.status !== 'open') return []
  const change = (fields: Partial<UnmatchedPayment>): Change[] => [
    { do: 'change unmatched', id: row.id, change: { ...fields, updatedAt: of.now } },
  ]
  const { accepted } = outcome
  if (accepted?.ids.has(row.id))
    return change({ status: 'accepted', shortfall: null, note: accepted.reason, decidedBy: accepted.by })
  if (outcome.settles(examined.payment)) return change({ status: 'resolved', shortfall: null })
  const shortfall = shortfallOf(of, outcome.status, examined)
  // The value is that of everything that arrived, also of what a provider took back since.
  const isReduced = of.takenBackOf(examined.credit) > 0n
  const value = (isReduced ? null : recordedValue(of, examined)) ?? row.value
  return shortfall === row.shortfall && value === row.value ? [] : change({ shortfall, value })
}

/** The reason why a final payment is unmatched; null if it counts and more may come. */
function reasonOf(of: Assessment, status: OrderStatus, examined: Examined): UnmatchedReason | null {
  const { payment, credit } = examined
  const { attempt } = credit
  const isOther = payment.assetId !== attempt.assetId
  if (isOther && !payment.counts && !of.countsOther(attempt, payment.assetId)) return 'wrong_asset'
  if (status === 'CANCELLED' || status === 'FAILED' || of.order.forcedAt !== null) return 'order_closed'
  if (status === 'PAID' || of.isClaimed(payment)) return 'second_payment'
  if (payment.paidAt > attempt.watchUntil) return 'too_late'
  return reasonWhileOpen(of, status, examined)
}

/** The reason why a payment is unmatched in an order that can still be paid. */
function reasonWhileOpen(of: Assessment, status: OrderStatus, { credit, payment, counted }: Examined) {
  const { attempt } = credit
  if (counted === null) return payment.paidAt > attempt.lockedUntil ? 'late' : 'underpaid'
  if (counted.rest === null) return counted.isLate ? 'late' : 'wrong_asset'
  const isExpired = status === 'EXPIRED' || (attempt.kind === 'address' && isGraceOver(credit, of.now))
  if (!isExpired && !of.isNothingAsked) return null
  return counted.isLate ? 'late' : 'underpaid'
}

function newRow(of: Assessment, status: OrderStatus, examined: Examined, reason: UnmatchedReason): Change {
  const { order, now } = of
  const { payment, credit } = examined
  const { attempt } = credit
  const value = recordedValue(of, examined)
  const shortfall = shortfallOf(of, status, examined)
  const facts: UnmatchedFacts = {
    reason,
    sum: arrivedText(of, attempt, payment.assetId, payment.amountAtomic),
    value: value === null ? null : `${value} ${order.currency}`,
    missing: shortfall === null ? null : { amount: shortfall, of: `${order.amount} ${order.currency}` },
    // An order that is paid or closed stays so.
    choice: isClosed(status) ? 'none' : value === null ? 'force' : 'accept',
  }
  const { txIn, txOut, assetId, amountAtomic } = payment
  const common = { attemptId: attempt.id, reason, value, shortfall }
  return {
    do: 'add unmatched',
    facts,
    event: {
      ...common,
      methodKey: attempt.methodKey,
      ...arrivedSum(of, attempt, assetId, amountAtomic),
      txId: txIn ?? txOut ?? transactionIdOf(payment),
    },
    row: {
      ...{ merchantId: order.merchantId, orderId: order.id, ...common },
      ...{ incomingPaymentId: payment.id, status: 'open' },
      ...{ note: null, decidedBy: null, createdAt: now, updatedAt: now },
    },
  }
}

/** The amount that would stay unpaid if the payment counted; null if none would, or if it is unknown. */
function shortfallOf(of: Assessment, status: OrderStatus, { counted }: Examined): string | null {
  if (isClosed(status) || counted?.payment.state !== 'final' || counted.awaited === null) return null
  const missing = of.price - of.settled - counted.awaited
  return missing > 0n ? moneyAbove(missing, of.order) : null
}

const recordedValue = ({ order }: Assessment, { counted }: Examined): string | null =>
  counted === null || counted.value === null ? null : moneyBelow(counted.value, order)
