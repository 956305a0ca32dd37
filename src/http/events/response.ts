import { Type } from '@sinclair/typebox'
import { deliveryOutcomes, deliveryStatuses, eventTypes } from '../../domain/webhook.ts'
import { marked } from '../livemode.ts'
import { DateTime, Uuid } from '../schema/fields.ts'
import { Nullable, OneOf, StrictObject } from '../schema/types.ts'

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
