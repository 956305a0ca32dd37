import { deliveryStatuses, eventTypes } from '../../domain/webhook.ts'
import { paging, UuidParam } from '../schema/fields.ts'
import { OneOf, Optional, StrictObject } from '../schema/types.ts'

export const ListEvents = StrictObject({
  type: Optional(OneOf(eventTypes)),
  status: Optional(OneOf(deliveryStatuses)),
  ...paging,
})

export const EventParams = StrictObject({ id: UuidParam })
