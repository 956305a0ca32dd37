import type { Attempt } from '../domain/attempt.ts'
import { looksOf } from '../domain/looks.ts'
import type { OrderNote } from '../domain/note.ts'
import type { Order } from '../domain/order.ts'
import type { IncomingPayment } from '../domain/payment.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Context } from '../operations/context.ts'
import type { OrderHistory } from '../operations/orders/inspect.ts'
import { presentAudit } from './audit.ts'
import { presentEvent } from './event.ts'
import { presentNotification } from './notification.ts'
import { presentOrder } from './order.ts'
import { amountIn, sumOf, txOf } from './payment-amounts.ts'
import { presentRefund } from './refund.ts'
import { presentTransaction } from './transaction.ts'

type Assets = Pick<Context, 'networks'>
type Unmatched = OrderHistory['unmatched'][number]

/** The page of a provider has neither an asset nor an amount before it is opened. */
const presentAttempt = (attempt: Attempt) => {
  const isOpened = attempt.assetId !== ''
  return {
    id: attempt.id,
    assetId: isOpened ? attempt.assetId : null,
    methodKey: attempt.methodKey,
    address: attempt.address,
    state: attempt.state,
    due: isOpened ? sumOf(attempt.dueAtomic, attempt) : null,
    received: isOpened ? sumOf(attempt.receivedAtomic, attempt) : null,
    confirmations: attempt.confirmations,
    lockedUntil: formatTimestamp(attempt.lockedUntil),
    checkedAt: attempt.checkedAt === null ? null : formatTimestamp(attempt.checkedAt),
    checkedBy: looksOf(attempt.cursor).by.at(-1) ?? null,
    rate: attempt.rate,
  }
}

const presentPayment = (
  context: Assets,
  values: OrderHistory['values'],
  attempt: Attempt,
  payment: IncomingPayment,
) => ({
  attemptId: attempt.id,
  assetId: payment.assetId,
  amount: amountIn(context.networks, attempt, payment),
  value: values.get(payment.id) ?? null,
  txId: txOf(payment),
  state: payment.state,
  confirmations: payment.confirmations,
  seenAt: formatTimestamp(payment.createdAt),
})

const presentUnmatched = (context: Assets, order: Order, attempt: Attempt, row: Unmatched) => ({
  id: row.payment.id,
  orderUUID: order.id,
  attemptId: attempt.id,
  reason: row.payment.reason,
  status: row.payment.status,
  assetId: row.incoming.assetId,
  amount: amountIn(context.networks, attempt, row.incoming),
  value: row.payment.value,
  currency: order.currency,
  shortfall: row.payment.shortfall,
  txId: txOf(row.incoming),
  refundAddress: attempt.refundAddress,
  createdAt: formatTimestamp(row.payment.createdAt),
})

/** What a person wrote, in the form of a notification. */
const presentNote = ({ id, orderId, text, createdAt, actor }: OrderNote) => ({
  id,
  kind: 'note' as const,
  orderUUID: orderId,
  text,
  createdAt: formatTimestamp(createdAt),
  sentTo: [],
  by: actor,
})

const newestFirst = (a: { createdAt: string }, b: { createdAt: string }): number =>
  b.createdAt.localeCompare(a.createdAt)

/** An order with everything that happened to it, for support. */
export function presentOrderHistory(context: Assets & Pick<Context, 'policy'>, history: OrderHistory) {
  const { order, attempts, transactions } = history
  const { checkoutUrl } = context.policy
  const attemptOf = (id: string): Attempt => attempts.find(attempt => attempt.id === id)!
  return {
    order: presentOrder(history, checkoutUrl),
    attempts: attempts.map(presentAttempt),
    payments: history.payments.map(payment =>
      presentPayment(context, history.values, attemptOf(payment.attemptId), payment),
    ),
    transactions: transactions.map(transaction => presentTransaction(transaction, checkoutUrl)),
    refunds: history.refunds.map(presentRefund),
    events: history.events.map(presentEvent),
    unmatched: history.unmatched.map(row =>
      presentUnmatched(context, order, attemptOf(row.payment.attemptId), row),
    ),
    notes: [...history.notifications.map(presentNotification), ...history.notes.map(presentNote)].sort(
      newestFirst,
    ),
    audit: history.audit.map(presentAudit),
  }
}

export type ShownHistory = ReturnType<typeof presentOrderHistory>
