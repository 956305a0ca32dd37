import type { Attempt } from '../../../domain/attempt.ts'
import { assert } from '../../../domain/errors.ts'
import type { Order } from '../../../domain/order.ts'
import { CRYPTO } from '../../../domain/payment-methods.ts'
import type { Refund } from '../../../domain/refund.ts'
import type { UnmatchedEventFacts } from '../../../domain/settlement.ts'
import type { SettlementOutcome } from '../../../domain/settlement-outcome.ts'
import { isLive } from '../../../domain/test-shop.ts'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import type { EventType, PaymentEventType, Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { deliverToFurther, newDelivery, webhooksFor } from './further.ts'
import { queueOf } from './queue.ts'
import { recordInvoiceEvent, recordInvoicePayment } from './record-greenfield.ts'
import { scheduleJob } from './schedule-delivery.ts'

type EventContext = Pick<Context, 'ids' | 'clock'>

function orderPaidBody(id: string, order: Order): object {
  assert(order.paidAt !== null, 'a paid order has the time of its payment')
  const settled = order.transactionId !== null
  return {
    id,
    type: 'order.paid',
    createdAt: formatTimestamp(order.paidAt),
    orderUUID: order.id,
    ...(settled && { transactionUUID: order.transactionId, transactionRef: order.transactionRef }),
    status: 'PAID',
    amount: order.amount,
    currency: order.currency,
    customerEmail: order.customerEmail,
    externalId: order.externalId,
    metadata: order.metadata,
    paidAt: formatTimestamp(order.paidAt),
  }
}

/** Records an order's only `order.paid` event. It is sent now, or once a webhook is set. */
export async function recordOrderPaid(context: EventContext, tables: Tables, order: Order): Promise<void> {
  const id = context.ids.uuid()
  const webhooks = await webhooksFor(tables, order)
  await record(context, tables, order, { id, type: 'order.paid', body: orderPaidBody(id, order), webhooks })
  await recordInvoiceEvent(context, tables, order, { type: 'InvoiceSettled', webhooks })
}

interface PaymentEvent {
  type: PaymentEventType
  attempt: Attempt
  /** only for `payment.paid`: what was unusual about the settlement */
  outcome?: SettlementOutcome
}

/** Records what happened to a payment. */
export async function recordPaymentEvent(
  context: EventContext,
  tables: Tables,
  order: Order,
  { type, attempt, outcome }: PaymentEvent,
): Promise<void> {
  const { id: attemptId, methodKey, assetId } = attempt
  const webhooks = await webhooksFor(tables, order)
  await recordInvoicePayment(context, tables, order, { of: type, attempt, webhooks })
  const about = { attemptId, methodKey, ...(methodKey === CRYPTO && { assetId }) }
  const facts = { ...about, status: type.replace('payment.', ''), ...outcome }
  await recordIfWanted(context, tables, order, { type, facts, webhooks })
}

const ends = {
  EXPIRED: { type: 'order.expired', invoiceType: 'InvoiceExpired' },
  CANCELLED: { type: 'order.cancelled', invoiceType: 'InvoiceInvalid' },
  FAILED: { type: 'order.failed', invoiceType: 'InvoiceInvalid' },
} as const

/** Records that an order has ended without being paid. An expired order can still be paid. */
export async function recordOrderEnd(context: EventContext, tables: Tables, order: Order): Promise<void> {
  const { status, paymentState, cancelReason } = order
  assert(status !== 'UNPAID' && status !== 'PAID', 'the order has ended')
  const { type, invoiceType } = ends[status]
  const webhooks = await webhooksFor(tables, order)
  await recordInvoiceEvent(context, tables, order, { type: invoiceType, webhooks })
  const more = { EXPIRED: { paymentState }, CANCELLED: { cancelReason }, FAILED: {} }
  const facts = { status, ...more[status] }
  await recordIfWanted(context, tables, order, { type, facts, webhooks })
}

/** Records that a refund was recorded. `order` has the totals that include it. */
export async function recordRefundEvent(
  context: EventContext,
  tables: Tables,
  order: Order,
  { id: refundId, transactionId, amount, reason }: Refund,
): Promise<void> {
  const { refundStatus, refundedAmount } = order
  const facts = { refundId, transactionId, amount, reason, refundStatus, refundedAmount }
  const webhooks = await webhooksFor(tables, order)
  await recordIfWanted(context, tables, order, { type: 'refund.recorded', facts, webhooks })
}

/** Records that a payment has paid nothing, and waits until the merchant decides about it. */
export async function recordUnmatchedEvent(
  context: EventContext,
  tables: Tables,
  order: Order,
  facts: UnmatchedEventFacts & { unmatchedId: string },
): Promise<void> {
  const webhooks = await webhooksFor(tables, order)
  await recordIfWanted(context, tables, order, { type: 'payment.unmatched', facts, webhooks })
}

interface WantedEvent {
  type: Exclude<EventType, 'order.paid'>
  /** the fields that only this type has, or that replace fields of the order */
  facts: object
  webhooks: readonly Webhook[]
}

/** Records an event if a webhook is subscribed to it, and always for a test order. */
async function recordIfWanted(
  context: EventContext,
  tables: Tables,
  order: Order,
  { type, facts, webhooks }: WantedEvent,
): Promise<void> {
  const livemode = isLive(order)
  if (livemode && !webhooks.some(({ events }) => events.includes(type))) return
  const id = context.ids.uuid()
  const createdAt = formatTimestamp(context.clock())
  const { id: orderUUID, amount, currency, externalId, metadata } = order
  const about = { id, type, createdAt, orderUUID, amount, currency, externalId, metadata, livemode }
  await record(context, tables, order, { id, type, body: { ...about, ...facts }, webhooks })
}

interface RecordedEvent {
  id: string
  type: EventType
  body: object
  webhooks: readonly Webhook[]
}

/**
 * Inserts an event with its deliveries. `order.paid` always has a delivery to the first webhook, which may be
 * set later.
 */
async function record(
  context: EventContext,
  tables: Tables,
  order: Order,
  { id, type, body, webhooks }: RecordedEvent,
): Promise<void> {
  const now = context.clock()
  const { merchantId, id: orderId } = order
  const event = { id, merchantId, orderId, type, body: JSON.stringify(body), createdAt: now }
  const first = webhooks.find(({ isFirst }) => isFirst)
  const isSubscribed = first?.events.includes(type) ?? false
  const isSendable = isSubscribed && first?.status === 'active'
  // Events of test orders are listed whether or not a webhook gets them.
  if (isSubscribed || type === 'order.paid' || !isLive(order)) {
    await tables.events.insert(event, {
      eventId: id,
      ...newDelivery(merchantId, now, isSendable),
    })
  } else {
    await tables.furtherDeliveries.insertEvent(event)
  }
  if (isSendable)
    await scheduleJob(tables, queueOf(tables, { merchantId, furtherId: null }), event, now, 'first')
  await deliverToFurther(context, tables, event, webhooks)
}
