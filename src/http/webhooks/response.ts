import { Type } from '@sinclair/typebox'
import {
  deliveryOutcomes,
  eventTypes,
  greenfieldTypes,
  ipnTypes,
  webhookModes,
} from '../../domain/webhook.ts'
import { DateTime, Uuid } from '../schema/fields.ts'
import { Uri } from '../schema/response-fields.ts'
import { described, Nullable, OneOf, StrictObject, UnicodeString } from '../schema/types.ts'

const fields = {
  endpointId: Uuid,
  isFirst: described('True for the webhook that PUT /v1/webhook sets.', Type.Boolean()),
  format: described(
    'Who defines the requests: `florin`, or `greenfield` for those of BTCPay Server’s API.',
    OneOf(['florin', 'greenfield']),
  ),
  url: Uri,
  events: Type.Array(OneOf([...eventTypes, ...greenfieldTypes, ...ipnTypes])),
  mode: described('Whether it gets events of live orders, of test orders, or of both.', OneOf(webhookModes)),
  status: OneOf(['active', 'disabled']),
  failingSince: Nullable(DateTime),
  failures: Type.Integer({ description: 'Failed tries since the last success.' }),
  createdAt: DateTime,
  updatedAt: DateTime,
}

const example = {
  endpointId: '01981f5c-aa00-7d1e-8f20-314253647587',
  isFirst: false,
  format: 'florin',
  url: 'https://books.example/hooks/florin',
  events: ['order.paid', 'payment.expired'],
  mode: 'live',
  status: 'active',
  failingSince: null,
  failures: 0,
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
}

const secret = UnicodeString({ readOnly: true, description: 'Shown only once.' })
const secretExample = { signingSecret: 'whsec_R2p0aHVzIGlzIG5vdCBhIHNlY3JldA' }

export const ShopWebhook = StrictObject(fields, { title: 'ShopWebhook', examples: [example] })

export const ShopWebhooks = StrictObject(
  { items: Type.Array(ShopWebhook) },
  { title: 'ShopWebhooks', examples: [{ items: [example] }] },
)

export const AddedWebhook = StrictObject(
  { ...fields, signingSecret: secret },
  { title: 'AddedWebhook', examples: [{ ...example, ...secretExample }] },
)

export const NewSecret = StrictObject(
  { signingSecret: secret },
  { title: 'NewSigningSecret', examples: [secretExample] },
)

export const WebhookTest = StrictObject(
  {
    outcome: OneOf(deliveryOutcomes),
    httpStatus: Nullable(Type.Integer()),
    durationMs: Type.Number(),
  },
  { title: 'WebhookTest', examples: [{ outcome: 'delivered', httpStatus: 200, durationMs: 87 }] },
)
