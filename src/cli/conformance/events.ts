import type { Operations } from '../../../clients/typescript/api.ts'
import type { SentEvent } from './shop.ts'

export type Order = Operations['readOrder']['data']

interface Fields {
  createdAt?: string
  [field: string]: unknown
}

/** An event as the server would send it for this order, with some fields replaced. */
const eventOf = (type: string, order: Order, fields: Fields): SentEvent => ({
  type,
  body: {
    id: crypto.randomUUID(),
    type,
    createdAt: new Date().toISOString(),
    orderUUID: order.orderUUID,
    amount: order.amount,
    currency: order.currency,
    externalId: order.externalId,
    metadata: order.metadata,
    ...fields,
  },
})

export const orderPaid = (order: Order, fields: Fields = {}): SentEvent =>
  eventOf('order.paid', order, {
    transactionUUID: order.paidTransactionUUID ?? crypto.randomUUID(),
    transactionRef: order.transactionRef ?? 'conformance',
    status: 'PAID',
    customerEmail: order.customerEmail,
    paidAt: order.paidAt ?? new Date().toISOString(),
    ...fields,
  })

/** The event of an order whose time ran out. */
export const orderExpired = (order: Order): SentEvent =>
  eventOf('order.expired', order, { status: 'EXPIRED', livemode: true, paymentState: null })

/** The event that `florin webhook test` sends. It belongs to no order. */
export function testEvent(): SentEvent {
  const [id, type] = [crypto.randomUUID(), 'webhook.test']
  return { type, body: { id, type, createdAt: new Date().toISOString(), merchantId: crypto.randomUUID() } }
}

type PaymentStatus = 'created' | 'processing' | 'paid' | 'failed' | 'expired'

export const paymentEvent = (order: Order, status: PaymentStatus, fields: Fields = {}): SentEvent =>
  eventOf(`payment.${status}`, order, {
    attemptId: crypto.randomUUID(),
    methodKey: 'crypto',
    livemode: true,
    assetId: 'ethereum/usdc',
    status,
    ...(status === 'paid' && { late: false, shortfall: null, acceptedBy: null }),
    ...fields,
  })
