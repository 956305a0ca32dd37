import { type EventType, eventTypes } from '../../domain/webhook.ts'
import { OrderPaid, PaymentChanged } from '../events/response.ts'
import { Uuid } from '../schema/fields.ts'
import { UnicodeString } from '../schema/types.ts'
import { type Schema, type Schemas, schemaOf } from './schemas.ts'

const summaries: Record<EventType, string> = {
  'order.paid': 'An order was paid',
  'payment.created': 'A buyer opened a payment',
  'payment.processing': 'A payment was seen, and is not final',
  'payment.paid': 'A payment was settled',
  'payment.failed': 'A payment failed',
  'payment.expired': 'A payment’s time ran out with nothing seen',
}

const headersOf = (type: EventType): [name: string, description: string, schema: Schema][] => [
  ['X-Service-Event', 'The kind of event.', { type: 'string', const: type }],
  ['X-Service-Event-Id', 'Handle each id once: an event can be delivered again.', schemaOf(Uuid)],
  [
    'X-Service-Timestamp',
    'Unix time of this delivery. Refuse what is older than 300 seconds.',
    schemaOf(UnicodeString({ pattern: '^[0-9]+$', examples: ['1795262760'] })),
  ],
  [
    'X-Service-Signature',
    'Unpadded base64url HMAC-SHA256 of timestamp, a dot and the raw body, keyed with the signing secret.',
    schemaOf(UnicodeString({ pattern: '^[A-Za-z0-9_-]{43}$' })),
  ],
]

function webhookOf(type: EventType, schemas: Schemas): object {
  const schema = schemas.of(schemaOf(type === 'order.paid' ? OrderPaid : PaymentChanged))
  const example = { ...(schemas.exampleOf(schema) as object), type }
  const status = type === 'order.paid' ? {} : { status: type.replace('payment.', '') }
  return {
    post: {
      operationId: type.replace(/[.](.)/, (_, letter: string) => letter.toUpperCase()),
      tags: ['Events'],
      summary: summaries[type],
      description:
        'Florin posts this to the merchant’s webhook. Verify the signature over the raw body before ' +
        'parsing. Anything but 200 is tried again, for up to 3 days.',
      security: [],
      parameters: headersOf(type).map(([name, description, header]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: schemas.of(header),
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: { ...example, ...status } } },
      },
      responses: { 200: { description: 'The event was received.' } },
    },
  }
}

/** What Florin sends, by kind of event. */
export const webhooksOf = (schemas: Schemas): Record<string, object> =>
  Object.fromEntries(eventTypes.map(type => [type, webhookOf(type, schemas)]))
