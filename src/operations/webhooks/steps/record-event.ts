import type { Attempt } from '../../../domain/attempt.ts'
import { assert } from '../../../domain/errors.ts'
import type { Order } from '../../../domain/order.ts'
import { CRYPTO } from '../../../domain/payment-methods.ts'
import type { SettlementOutcome } from '../../../domain/settlement-outcome.ts'
import { isLive } from '../../../domain/test-shop.ts'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import type { EventType, Webhook } from '../../../domain/webhook.ts'
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

const statusOf: Record<Exclude<EventType, 'order.paid'>, string> = {
  'payment.created': 'created',
  'payment.processing': 'processing',
  'payment.paid': 'paid',
  'payment.failed': 'failed',
  'payment.expired': 'expired',
}

/** Records an order's only `order.paid` event. It is sent now, or once a webhook is set. */
export async function recordOrderPaid(context: EventContext, tables: Tables, order: Order): Promise<void> {
  const id = context.ids.uuid()
  const webhooks = await webhooksFor(tables, order)
  await record(context, tables, order, { id, type: 'order.paid', body: orderPaidBody(id, order), webhooks })
  await recordInvoiceEvent(context, tables, order, { type: 'InvoiceSettled', webhooks })
}

interface PaymentEvent {
  type: Exclude<EventType, 'order.paid'>
  attempt: Attempt
  /** of `payment.paid`: what was unusual about the settlement */
  outcome?: SettlementOutcome
}

/** Records a payment event if a webhook of the merchant is subscribed to it, and always for a test order. */
export async function recordPaymentEvent(
  context: EventContext,
  tables: Tables,
  order: Order,
  { type, attempt, outcome }: PaymentEvent,
): Promise<void> {
  const webhooks = await webhooksFor(tables, order)
  await recordInvoicePayment(context, tables, order, { of: type, attempt, webhooks })
  if (isLive(order) && !webhooks.some(({ events }) => events.includes(type))) return
  const id = context.ids.uuid()
  const body = {
    id,
    type,
    createdAt: formatTimestamp(context.clock()),
    orderUUID: order.id,
    attemptId: attempt.id,
    methodKey: attempt.methodKey,
    ...(attempt.methodKey === CRYPTO && { assetId: attempt.assetId }),
    status: statusOf[type],
    amount: order.amount,
    currency: order.currency,
    externalId: order.externalId,
    metadata: order.metadata,
    livemode: isLive(order),
    ...outcome,
  }
  await record(context, tables, order, { id, type, body, webhooks })
}

interface RecordedEvent {
  id: string
  type: EventType
  body: object
  webhooks: readonly Webhook[]
}

/**
 * Inserts an event with its deliveries. `order.paid` always has one to the first webhook, which may be set
 * later.
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
