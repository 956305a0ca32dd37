import { type EventType, eventTypes, paymentEventTypes } from '../../domain/webhook.ts'
import { eventBodies } from '../events/bodies.ts'
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
  'order.expired': 'An order was not paid in time, or was ended; a late payment can still pay it',
  'order.cancelled': 'An order was cancelled before a buyer started to pay it',
  'order.failed': 'The only payment method of an order failed',
  'refund.recorded': 'A refund of an order was recorded',
  'payment.unmatched':
    'A payment was confirmed but did not complete its order: a part, a second or late one, another coin',
}

/** The fields in which the example of an event differs from that of its schema. */
const changesOfExample: Partial<Record<EventType, object>> = {
  ...Object.fromEntries(paymentEventTypes.map(type => [type, { status: type.replace('payment.', '') }])),
  'order.cancelled': { status: 'CANCELLED', paymentState: undefined, cancelReason: 'Out of stock' },
  'order.failed': { status: 'FAILED', paymentState: undefined },
}

type Header = [name: string, description: string, schema: Schema]

const signature = schemaOf(UnicodeString({ pattern: '^[A-Za-z0-9_-]{43}$' }))

const headersOf = (type: EventType): Header[] => [
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
    signature,
  ],
  [
    'X-Service-Livemode',
    'Says `false` for an event of a test order, and `true` for any other.',
    { type: 'string', enum: ['true', 'false'] },
  ],
]

const previousSignature: Header = [
  'X-Service-Signature-Previous',
  'The same with the former signing secret. Sent for a while after the secret was replaced.',
  signature,
]

const settlement: Header = [
  'X-Service-Settlement',
  'How the order was settled. Anything but `exact` has a notification with the amounts.',
  { type: 'string', enum: ['exact', 'short', 'over', 'late', 'accepted', 'forced'] },
]

const parameterOf = (schemas: Schemas, [name, description, schema]: Header, required = true): object => ({
  ...{ name, in: 'header', required, description },
  schema: schemas.of(schema),
})

function webhookOf(type: EventType, schemas: Schemas): object {
  const schema = schemas.of(schemaOf(eventBodies[type]))
  const example = { ...(schemas.exampleOf(schema, type) as object), type, ...changesOfExample[type] }
  return {
    post: {
      operationId: type.replace(/[.](.)/, (_, letter: string) => letter.toUpperCase()),
      tags: ['Events'],
      summary: summaries[type],
      description:
        'Florin sends this request to the merchant’s webhook. Verify the signature of the raw body before ' +
        'you parse it. Any response other than 200 is retried for up to 3 days.',
      security: [],
      parameters: [
        ...[...headersOf(type), ...(type === 'order.paid' ? [settlement] : [])].map(header =>
          parameterOf(schemas, header),
        ),
        parameterOf(schemas, previousSignature, false),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example } },
      },
      responses: { 200: { description: 'The webhook has received the event.' } },
    },
  }
}

/** The webhook requests that Florin sends, by event type. */
export const webhooksOf = (schemas: Schemas): Record<string, object> =>
  Object.fromEntries(eventTypes.map(type => [type, webhookOf(type, schemas)]))
