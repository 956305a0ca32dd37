import type { Attempt } from '../../../domain/attempt.ts'
import { paymentMethodOf } from '../../../domain/greenfield.ts'
import { fromUnits } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import type { EventType, GreenfieldType } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { deliverToFurther } from './further.ts'

type EventContext = Pick<Context, 'ids' | 'clock'>

interface InvoiceEvent {
  type: GreenfieldType
  /** what the events of other types lack */
  facts?: object
}

const hasListener = async (tables: Tables, merchantId: string, type: GreenfieldType): Promise<boolean> =>
  (await tables.furtherWebhooks.find(merchantId)).some(({ events }) => events.includes(type))

/**
 * Records an event about an order in the words of BTCPay Server, which calls it an invoice, if a webhook is
 * subscribed to it.
 */
export async function recordInvoiceEvent(
  context: EventContext,
  tables: Tables,
  order: Order,
  { type, facts = {} }: InvoiceEvent,
): Promise<void> {
  const { id: orderId, merchantId, metadata } = order
  if (!(await hasListener(tables, merchantId, type))) return
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
  await deliverToFurther(context, tables, event)
}

const typeOf: Partial<Record<EventType, GreenfieldType>> = {
  'payment.processing': 'InvoiceReceivedPayment',
  'payment.paid': 'InvoicePaymentSettled',
}

/** Records that a payment was seen or has become final. BTCPay Server has no events for the others. */
export async function recordInvoicePayment(
  context: EventContext,
  tables: Tables,
  order: Order,
  of: EventType,
  { id: attemptId }: Attempt,
): Promise<void> {
  const type = typeOf[of]
  if (!type || !(await hasListener(tables, order.merchantId, type))) return
  // The amounts that the same write has just stored.
  const attempt = await tables.attempts.find(attemptId)
  if (!attempt) return
  const payment = {
    id: attempt.id,
    receivedDate: Math.floor(attempt.updatedAt / 1000),
    value: fromUnits(attempt.receivedAtomic, attempt.decimals),
    fee: '0',
    status: type === 'InvoicePaymentSettled' ? 'Settled' : 'Processing',
    destination: attempt.address ?? '',
  }
  const facts = {
    paymentMethodId: paymentMethodOf(attempt),
    afterExpiration: order.expiredAt !== null,
    payment,
  }
  await recordInvoiceEvent(context, tables, order, { type, facts })
}
