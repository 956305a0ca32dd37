import { type TSchema, Type } from '@sinclair/typebox'
import type { UnmatchedReason } from '../../domain/settlement.ts'
import { type EventType, orderEndTypes, paymentEventTypes } from '../../domain/webhook.ts'
import { Amount, Currency, DateTime, MetadataObject, Uuid } from '../schema/fields.ts'
import { described, Nullable, OneOf, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

/* The bodies of the events that are sent to webhooks. */

const id = '01981f5e-2000-7b3c-a4d5-e6f708192a3b'
const orderUUID = '01981f5c-7d2a-7cc1-9f0e-2f6f2f9d3c55'
const timestamp = '2026-11-21T12:06:00.000Z'

const orderFields = {
  amount: Amount,
  currency: Currency,
  externalId: Nullable(UnicodeString()),
  metadata: MetadataObject,
}
const livemode = Type.Boolean({ description: 'False for a test order.' })
const orderExample = { amount: '25.00', currency: 'USD', externalId: 'cart-1042', metadata: { cart: '1042' } }

/** The body of the event that an order was paid. */
const OrderPaid = StrictObject(
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

/** The body of an event about one payment. */
const PaymentChanged = StrictObject(
  {
    id: Uuid,
    type: OneOf(paymentEventTypes),
    createdAt: DateTime,
    orderUUID: Uuid,
    attemptId: Uuid,
    methodKey: UnicodeString(),
    assetId: Optional(UnicodeString({ description: 'The asset, when the method is "crypto".' })),
    status: OneOf(['created', 'processing', 'paid', 'failed', 'expired']),
    ...orderFields,
    livemode,
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

/** The body of the event that an order ended without being paid. */
const OrderEnded = StrictObject(
  {
    id: Uuid,
    type: OneOf(orderEndTypes),
    createdAt: DateTime,
    orderUUID: Uuid,
    status: OneOf(['EXPIRED', 'CANCELLED', 'FAILED']),
    ...orderFields,
    livemode,
    paymentState: Optional(
      Nullable(
        described(
          'Only order.expired: money that arrived and may still complete the order; null if none did.',
          OneOf(['CONFIRMING', 'PART_PAID']),
        ),
      ),
    ),
    cancelReason: Optional(
      Nullable(UnicodeString({ description: 'Only order.cancelled: the reason that was given.' })),
    ),
  },
  {
    title: 'OrderEnded',
    examples: [
      {
        id,
        type: 'order.expired',
        createdAt: timestamp,
        orderUUID,
        status: 'EXPIRED',
        ...orderExample,
        livemode: true,
        paymentState: null,
      },
    ],
  },
)

/** The body of the event that a refund was recorded. */
const RefundRecorded = StrictObject(
  {
    id: Uuid,
    type: Type.Literal('refund.recorded'),
    createdAt: DateTime,
    orderUUID: Uuid,
    refundId: described('As in the list of the refunds of the order.', UnicodeString()),
    transactionId: Uuid,
    ...orderFields,
    reason: UnicodeString(),
    refundStatus: OneOf(['PARTIAL', 'FULL']),
    refundedAmount: Amount,
    livemode,
  },
  {
    title: 'RefundRecorded',
    description: '`amount` is that of this refund, and `refundedAmount` the sum of all refunds of the order.',
    examples: [
      {
        id,
        type: 'refund.recorded',
        createdAt: timestamp,
        orderUUID,
        refundId: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        transactionId: '01981f5e-13b4-7f00-9c77-6a5b4c3d2e1f',
        ...orderExample,
        amount: '5.00',
        reason: 'One cup was broken',
        refundStatus: 'PARTIAL',
        refundedAmount: '5.00',
        livemode: true,
      },
    ],
  },
)

const unmatchedReasons = [
  ...(['wrong_asset', 'underpaid', 'late'] as const),
  ...(['second_payment', 'order_closed', 'too_late'] as const),
] satisfies UnmatchedReason[]

/** The body of the event that a payment did not complete an order, and waits for a decision. */
const PaymentUnmatched = StrictObject(
  {
    id: Uuid,
    type: Type.Literal('payment.unmatched'),
    createdAt: DateTime,
    orderUUID: Uuid,
    unmatchedId: Uuid,
    attemptId: Uuid,
    methodKey: UnicodeString(),
    reason: OneOf(unmatchedReasons),
    receivedAmount: Nullable(
      UnicodeString({ description: 'What arrived, in receivedCurrency; null if its decimals are unknown.' }),
    ),
    receivedCurrency: UnicodeString({ description: 'The asset that arrived, or a currency.' }),
    value: Nullable(
      UnicodeString({ description: 'Its value in the currency of the order; null if unknown.' }),
    ),
    shortfall: Nullable(
      UnicodeString({
        description:
          'What the order would lack if the payment counted; null if nothing, or if it is paid or closed.',
      }),
    ),
    txId: Nullable(UnicodeString({ description: 'Null for small payments that were joined into one.' })),
    ...orderFields,
    livemode,
  },
  {
    title: 'PaymentUnmatched',
    examples: [
      {
        id,
        type: 'payment.unmatched',
        createdAt: timestamp,
        orderUUID,
        unmatchedId: '01981f5e-3000-7a11-8b22-33445566778a',
        attemptId: '01981f5d-0100-7c4d-b5e6-f708192a3b4c',
        methodKey: 'crypto',
        reason: 'underpaid',
        receivedAmount: '0.0002',
        receivedCurrency: 'btc',
        value: '20.00',
        shortfall: '5.00',
        txId: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
        ...orderExample,
        livemode: true,
      },
    ],
  },
)

/** The schemas of the bodies that are sent to webhooks, by the type of the event. */
export const eventBodies: Readonly<Record<EventType, TSchema>> = {
  'order.paid': OrderPaid,
  'payment.created': PaymentChanged,
  'payment.processing': PaymentChanged,
  'payment.paid': PaymentChanged,
  'payment.failed': PaymentChanged,
  'payment.expired': PaymentChanged,
  'order.expired': OrderEnded,
  'order.cancelled': OrderEnded,
  'order.failed': OrderEnded,
  'refund.recorded': RefundRecorded,
  'payment.unmatched': PaymentUnmatched,
}
