import type { Attempt } from '../domain/attempt.ts'
import { asserted } from '../domain/errors.ts'
import { looksOf } from '../domain/looks.ts'
import type { OrderNote } from '../domain/note.ts'
import { allOf, type Chosen } from '../domain/opening.ts'
import type { Order } from '../domain/order.ts'
import { type IncomingPayment, transactionIdOf } from '../domain/payment.ts'
import { moneyBelow } from '../domain/quote.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Context } from '../operations/context.ts'
import type { OrderHistory } from '../operations/orders/inspect.ts'
import { blindSince } from '../operations/payments/failed-checks.ts'
import { presentAwaited, presentCredit, presentTimes } from './attempt.ts'
import { presentAudit } from './audit.ts'
import { presentEvent } from './event.ts'
import { presentNotification } from './notification.ts'
import { presentOrder } from './order.ts'
import { amountIn, sumOf } from './payment-amounts.ts'
import { presentRefund } from './refund.ts'
import { presentSettlement, withoutReports } from './settlement.ts'
import { presentTransaction } from './transaction.ts'

type Assets = Pick<Context, 'networks'>
type Times = Pick<Context, 'clock' | 'storage'>
type Unmatched = OrderHistory['unmatched'][number]

const presentAttempt = (
  context: Times,
  { order: { currency }, blindChains }: Pick<OrderHistory, 'order' | 'blindChains'>,
  attempt: Chosen,
) => {
  const isOpened = attempt.kind !== 'opening'
  const checkedAt = isOpened ? attempt.checkedAt : null
  return {
    id: attempt.id,
    assetId: isOpened ? attempt.assetId : null,
    methodKey: attempt.methodKey,
    address: isOpened ? attempt.address : null,
    state: attempt.state,
    due: isOpened ? sumOf(attempt.dueAtomic, attempt) : null,
    received: isOpened ? sumOf(attempt.receivedAtomic, attempt) : null,
    confirmations: isOpened ? attempt.confirmations : null,
    priced: attempt.priced,
    credited: moneyBelow(isOpened ? attempt.credited : 0n, { currency }),
    settledCredit: moneyBelow(isOpened ? attempt.settledCredit : 0n, { currency }),
    awaited: presentAwaited(isOpened ? [attempt] : [], currency),
    ...presentTimes(attempt, {
      now: context.clock(),
      blindSince: of => blindSince(context, of, context.clock(), blindChains),
    }),
    checkedAt: checkedAt === null ? null : formatTimestamp(checkedAt),
    checkedBy: attempt.provider === null ? (looksOf(attempt.cursor).by.at(-1) ?? null) : null,
    rate: attempt.kind === 'address' ? attempt.rate : null,
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
  txId: transactionIdOf(payment),
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
  txId: transactionIdOf(row.incoming),
  refundAddress: attempt.refundAddress,
  createdAt: formatTimestamp(row.payment.createdAt),
})

/** A person's note, in the form of a notification. */
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
export function presentOrderHistory(
  context: Assets & Times & Pick<Context, 'policy'>,
  history: OrderHistory,
) {
  const { order, attempts, transactions, settlement } = history
  const { checkoutUrl } = context.policy
  const attemptOf = (id: string): Attempt =>
    asserted(
      attempts.find(attempt => attempt.id === id),
      'a payment has its attempt',
    )
  return {
    order: presentOrder(history, checkoutUrl),
    settlement: presentSettlement(history),
    ...presentCredit(order, attempts),
    awaited: presentAwaited(attempts, order.currency),
    attempts: allOf(history).map(one => presentAttempt(context, history, one)),
    payments: history.payments.map(payment =>
      presentPayment(context, history.values, attemptOf(payment.attemptId), payment),
    ),
    // An order has at most one transaction.
    transactions: transactions.map(transaction => ({
      ...presentTransaction(transaction, checkoutUrl),
      evidence: withoutReports(settlement?.evidence ?? null),
    })),
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
