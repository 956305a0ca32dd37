import type { Attempt } from '../../../domain/attempt.ts'
import { paymentMethodOf } from '../../../domain/greenfield.ts'
import { fromUnits } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import type { EventType, GreenfieldType, Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { deliverToFurther, webhooksFor } from './further.ts'
import { recordIpn } from './record-ipn.ts'

type EventContext = Pick<Context, 'ids' | 'clock'>

interface InvoiceEvent {
  type: GreenfieldType
  /** the fields that only this type has */
  facts?: object
  /** the webhooks that may get the event, if they are known already */
  webhooks?: readonly Webhook[]
}

const hasListener = (webhooks: readonly Webhook[], type: GreenfieldType): boolean =>
  webhooks.some(({ events }) => events.includes(type))

/**
 * Records an event about an order in the format of BTCPay Server, which calls the order an invoice. Only if a
 * webhook is subscribed to the event.
 */
export async function recordInvoiceEvent(
  context: EventContext,
  tables: Tables,
  order: Order,
  { type, facts = {}, webhooks: known }: InvoiceEvent,
): Promise<void> {
  const { id: orderId, merchantId, metadata } = order
  const webhooks = known ?? (await webhooksFor(tables, order))
  await recordIpn(context, tables, order, { type, webhooks })
  if (!hasListener(webhooks, type)) return
  const now = context.clock()
  const about = { timestamp: Math.floor(now / 1000), storeId: merchantId, invoiceId: orderId, metadata }
  const isOver = { overPaid: order.paymentState === 'OVERPAID' }
  const usual: Partial<Record<GreenfieldType, object>> = {
    InvoiceProcessing: isOver,
    InvoiceSettled: { manuallyMarked: order.forcedAt !== null, ...isOver },
    InvoiceExpired: { partiallyPaid: order.paymentState === 'PART_PAID' },
    InvoiceInvalid: { manuallyMarked: order.cancelledAt !== null },
  }
  const body = JSON.stringify({ type, ...about, ...usual[type], ...facts })
  const event = { id: context.ids.uuid(), merchantId, orderId, type, body, createdAt: now }
  await tables.furtherDeliveries.insertEvent(event)
  await deliverToFurther(context, tables, event, webhooks)
}

const typeOf: Partial<Record<EventType, GreenfieldType>> = {
  'payment.processing': 'InvoiceReceivedPayment',
  'payment.paid': 'InvoicePaymentSettled',
}

interface InvoicePayment {
  /** the event of the payment */
  of: EventType
  attempt: Attempt
  webhooks: readonly Webhook[]
}

/** Records that a payment was seen or has become final. BTCPay Server has no events for other changes. */
export async function recordInvoicePayment(
  context: EventContext,
  tables: Tables,
  order: Order,
  { of, attempt: before, webhooks }: InvoicePayment,
): Promise<void> {
  // A payment that was final when it was first seen had no event yet.
  const isNew = of === 'payment.paid' && before.receivedAtomic === 0n
  const wanted = [isNew ? typeOf['payment.processing'] : undefined, typeOf[of]]
  const types = wanted.filter(type => type !== undefined).filter(type => hasListener(webhooks, type))
  if (types.length === 0) return
  // This attempt has the amounts that the same write has just stored.
  const attempt = await tables.attempts.find(before.id)
  if (!attempt) return
  const payment = {
    id: attempt.id,
    receivedDate: Math.floor(attempt.updatedAt / 1000),
    value: fromUnits(attempt.receivedAtomic, attempt.decimals),
    fee: '0',
    status: of === 'payment.paid' ? 'Settled' : 'Processing',
    destination: attempt.address ?? '',
  }
  const facts = {
    paymentMethodId: paymentMethodOf(attempt),
    afterExpiration: order.expiredAt !== null,
    payment,
  }
  for (const type of types) await recordInvoiceEvent(context, tables, order, { type, facts, webhooks })
}
