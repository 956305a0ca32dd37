import { Type } from '@sinclair/typebox'
import { deliveryOutcomes, deliveryStatuses, eventTypes } from '../../domain/webhook.ts'
import { marked } from '../livemode.ts'
import { Amount, Currency, DateTime, MetadataObject, Uuid } from '../schema/fields.ts'
import { Nullable, OneOf, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

const id = '01981f5e-2000-7b3c-a4d5-e6f708192a3b'
const orderUUID = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const timestamp = '2026-11-21T12:06:00.000Z'

const DeliveryAttempt = StrictObject({
  at: DateTime,
  httpStatus: Nullable(Type.Integer()),
  outcome: OneOf(deliveryOutcomes),
  durationMs: Type.Number({ minimum: 0 }),
})

/** An event with its delivery attempts. */
export const Event = StrictObject(
  {
    id: Uuid,
    type: OneOf(eventTypes),
    orderUUID: Uuid,
    createdAt: DateTime,
    ...marked,
    status: OneOf(deliveryStatuses),
    nextAttemptAt: Nullable(DateTime),
    attempts: Type.Array(DeliveryAttempt),
  },
  {
    title: 'WebhookEvent',
    examples: [
      {
        id,
        type: 'order.paid',
        orderUUID,
        createdAt: timestamp,
        status: 'delivered',
        nextAttemptAt: null,
        attempts: [{ at: timestamp, httpStatus: 200, outcome: 'delivered', durationMs: 84 }],
      },
    ],
  },
)

const orderFields = {
  amount: Amount,
  currency: Currency,
  externalId: Nullable(UnicodeString()),
  metadata: MetadataObject,
}
const orderExample = { amount: '25.00', currency: 'USD', externalId: 'cart-1042', metadata: { cart: '1042' } }

/** The body that is sent to the merchant's webhook. */
export const OrderPaid = StrictObject(
  {
    id: Uuid,
    type: Type.Literal('order.paid'),
    createdAt: DateTime,
    orderUUID: Uuid,
    transactionUUID: Optional(Uuid),
    transactionRef: Optional(
      Nullable(UnicodeString({ description: 'Left out when the order was marked as paid manually.' })),
    ),
    status: Type.Literal('PAID'),
    ...orderFields,
    customerEmail: UnicodeString({ format: 'email' }),
    paidAt: DateTime,
  },
  {
    title: 'OrderPaid',
    examples: [
      {
        id,
        type: 'order.paid',
        createdAt: timestamp,
        orderUUID,
        transactionUUID: '01981f5e-13b4-7f00-9c77-6a5b4c3d2e1f',
        transactionRef: 'pg_71c2f0',
        status: 'PAID',
        ...orderExample,
        customerEmail: 'buyer@example.com',
        paidAt: timestamp,
      },
    ],
  },
)

/** The body for an event of one payment. */
export const PaymentChanged = StrictObject(
  {
    id: Uuid,
    type: OneOf(eventTypes.filter(type => type !== 'order.paid')),
    createdAt: DateTime,
    orderUUID: Uuid,
    attemptId: Uuid,
    methodKey: UnicodeString(),
    assetId: Optional(UnicodeString({ description: 'The asset, when the method is "crypto".' })),
    status: OneOf(['created', 'processing', 'paid', 'failed', 'expired']),
    ...orderFields,
    livemode: Type.Boolean({ description: 'False for a test order.' }),
    late: Optional(
      Type.Boolean({
        description: 'Only payment.paid: whether it was paid after the quoted amount expired.',
      }),
    ),
    shortfall: Optional(
      Nullable(
        UnicodeString({
          description:
            'Only payment.paid: what is missing, in the currency of the order; null if nothing is.',
        }),
      ),
    ),
    parts: Optional(
      Type.Array(
        Type.Object({
          attemptId: Type.String({ format: 'uuid' }),
          methodKey: Type.String(),
          assetId: Type.String(),
          amount: Type.String(),
          credited: Type.String(),
        }),
        { description: 'What each payment contributed to the order.' },
      ),
    ),
    acceptedBy: Optional(
      Nullable(
        UnicodeString({
          description: 'Only payment.paid: who accepted a payment that did not settle the order by itself.',
        }),
      ),
    ),
  },
  {
    title: 'PaymentChanged',
    examples: [
      {
        id,
        type: 'payment.processing',
        createdAt: timestamp,
        orderUUID,
        attemptId: '01981f5d-0100-7c4d-b5e6-f708192a3b4c',
        methodKey: 'crypto',
        assetId: 'btc',
        status: 'processing',
        ...orderExample,
        livemode: true,
      },
    ],
  },
)
