import { type EventType, eventTypes } from '../../domain/webhook.ts'
import { OrderPaid, PaymentChanged } from '../events/response.ts'
import { Uuid } from '../schema/fields.ts'
import { UnicodeString } from '../schema/types.ts'
import { type Schema, type Schemas, schemaOf } from './schemas.ts'

const summaries: Record<EventType, string> = {
  'order.paid': 'An order was paid or was marked as paid manually',
  'payment.created': 'A buyer chose a payment method and a payment was started',
  'payment.processing': 'A payment was detected but is not confirmed yet',
  'payment.paid': 'A payment was confirmed and paid its order',
  'payment.failed': 'The provider reported that a payment failed',
  'payment.expired': 'The time to pay ran out and no payment was detected',
}

const headersOf = (type: EventType): [name: string, description: string, schema: Schema][] => [
  ['X-Service-Event', 'The type of the event.', { type: 'string', const: type }],
  [
    'X-Service-Event-Id',
    'Process each ID only once: an event can be delivered more than once.',
    schemaOf(Uuid),
  ],
  [
    'X-Service-Timestamp',
    'Unix time of this delivery. Reject deliveries older than 300 seconds.',
    schemaOf(UnicodeString({ pattern: '^[0-9]+$', examples: ['1795262760'] })),
  ],
  [
    'X-Service-Signature',
    'HMAC-SHA256 of the timestamp, a dot and the raw body with the signing secret, as unpadded base64url.',
    schemaOf(UnicodeString({ pattern: '^[A-Za-z0-9_-]{43}$' })),
  ],
]

const eventHeaders: [name: string, description: string, schema: Schema] = [
  'X-Service-Settlement',
  'How the order was settled. Anything but `exact` has a notification with the amounts.',
  { type: 'string', enum: ['exact', 'short', 'over', 'late', 'accepted', 'forced'] },
]

function webhookOf(type: EventType, schemas: Schemas): object {
  const schema = schemas.of(schemaOf(type === 'order.paid' ? OrderPaid : PaymentChanged))
  const example = { ...(schemas.exampleOf(schema, type) as object), type }
  const status = type === 'order.paid' ? {} : { status: type.replace('payment.', '') }
  return {
    post: {
      operationId: type.replace(/[.](.)/, (_, letter: string) => letter.toUpperCase()),
      tags: ['Events'],
      summary: summaries[type],
      description:
        'Florin sends this request to the merchant’s webhook. Verify the signature of the raw body before ' +
        'you parse it. Any response other than 200 is retried for up to 3 days.',
      security: [],
      parameters: [...headersOf(type), ...(type === 'order.paid' ? [eventHeaders] : [])].map(
        ([name, description, header]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: schemas.of(header),
        }),
      ),
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: { ...example, ...status } } },
      },
      responses: { 200: { description: 'The webhook has received the event.' } },
    },
  }
}

/** The webhook requests that Florin sends, by event type. */
export const webhooksOf = (schemas: Schemas): Record<string, object> =>
  Object.fromEntries(eventTypes.map(type => [type, webhookOf(type, schemas)]))
