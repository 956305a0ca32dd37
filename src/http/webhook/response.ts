import { Type } from '@sinclair/typebox'
import { eventTypes } from '../../domain/webhook.ts'
import { DateTime, Uuid } from '../schema/fields.ts'
import { Uri } from '../schema/response-fields.ts'
import { Nullable, OneOf, StrictObject, UnicodeString } from '../schema/types.ts'

const fields = {
  configured: Type.Boolean(),
  endpointId: Nullable(Uuid),
  url: Nullable(Uri),
  events: Type.Array(OneOf(eventTypes)),
  status: OneOf(['not_configured', 'active', 'disabled']),
  createdAt: Nullable(DateTime),
  updatedAt: Nullable(DateTime),
}

const example = {
  configured: true,
  endpointId: '01981f5c-aa00-7d1e-8f20-314253647586',
  url: 'https://shop.example/hooks/florin',
  events: ['order.paid'],
  status: 'active',
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
}

export const Webhook = StrictObject(fields, { title: 'ApiWebhook', examples: [example] })

/** The webhook when it is set for the first time. */
export const NewWebhook = StrictObject(
  {
    ...fields,
    configured: Type.Literal(true),
    endpointId: Uuid,
    url: Uri,
    status: OneOf(['active', 'disabled']),
    signingSecret: UnicodeString({ readOnly: true, description: 'Shown only once.' }),
  },
  {
    title: 'CreatedApiWebhook',
    examples: [{ ...example, signingSecret: 'whsec_R2p0aHVzIGlzIG5vdCBhIHNlY3JldA' }],
  },
)
