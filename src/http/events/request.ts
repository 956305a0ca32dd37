import { deliveryStatuses, eventTypes } from '../../domain/webhook.ts'
import { paging, Uuid } from '../schema/fields.ts'
import { Closed, OneOf, Optional } from '../schema/types.ts'

export const ListEvents = Closed({
  type: Optional(OneOf(eventTypes)),
  status: Optional(OneOf(deliveryStatuses)),
  ...paging,
})

export const EventParams = Closed({ id: Uuid })
