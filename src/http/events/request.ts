import { Type } from '@sinclair/typebox'
import { deliveryStatuses, eventTypes } from '../../domain/webhook.ts'
import { listed } from '../livemode.ts'
import { paging, UuidParam } from '../schema/fields.ts'
import { described, OneOf, Optional, StrictObject } from '../schema/types.ts'

export const ListEvents = StrictObject({
  type: Optional(described('Only events of this type.', OneOf(eventTypes))),
  status: Optional(described('Only events whose delivery has this status.', OneOf(deliveryStatuses))),
  ...listed,
  ...paging,
})

export const EventParams = StrictObject({ id: described('The ID of the event.', UuidParam) })

export const StreamQuery = StrictObject(listed)

export const StreamHeaders = Type.Object({
  'last-event-id': Optional(described('The last event that was received.', UuidParam)),
})
