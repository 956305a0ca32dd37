import { Type } from '@sinclair/typebox'
import { eventTypes, webhookModes } from '../../domain/webhook.ts'
import { DateTime, destinationRules, URL_MAX, UuidParam } from '../schema/fields.ts'
import { DOCUMENTED, described, OneOf, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

const url = UnicodeString({
  minLength: 1,
  maxLength: URL_MAX,
  description: 'A public HTTPS URL. Plain http is for hosts that FLORIN_OUTBOUND_ALLOW names.',
  [DOCUMENTED]: destinationRules,
})
const events = Type.Array(OneOf(eventTypes), { minItems: 1, maxItems: eventTypes.length, uniqueItems: true })
const example = { url: 'https://books.example/hooks/florin', events: ['order.paid', 'payment.expired'] }

const mode = described(
  'Whether it gets events of `live` orders (the default), of `test` orders, or of `both`.',
  OneOf(webhookModes),
)

export const AddWebhook = StrictObject(
  {
    url,
    events: Optional(described('The events to send; `order.paid` if you leave it out.', events)),
    mode: Optional(mode),
    eventsSince: Optional(
      described(
        'Also sends subscribed events from this time on. Otherwise nothing is sent that happened before.',
        DateTime,
      ),
    ),
  },
  { title: 'AddWebhook', examples: [example] },
)

export const EditWebhook = StrictObject(
  {
    url: Optional(described('A new URL reactivates a disabled webhook and sends what waits.', url)),
    events: Optional(described('The events to send from now on.', events)),
    mode: Optional(mode),
  },
  { title: 'EditWebhook', minProperties: 1, examples: [{ events: ['order.paid'] }] },
)

export const RotateSecret = StrictObject(
  {
    overlapHours: Optional(
      Type.Integer({
        minimum: 0,
        maximum: 720,
        description:
          'How long deliveries also carry X-Service-Signature-Previous, made with the former secret; 24 if ' +
          'you leave it out.',
      }),
    ),
  },
  { title: 'RotateSecret', examples: [{ overlapHours: 24 }] },
)

export const WebhookParams = StrictObject({ endpointId: described('The ID of the webhook.', UuidParam) })
