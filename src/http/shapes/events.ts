import { deliveryStatuses, eventTypes } from '../../domain/webhook.ts'
import { Closed, OneOf, Optional } from './kit.ts'
import { paging, Uuid } from './shared.ts'

export const ListEvents = Closed({
  type: Optional(OneOf(eventTypes)),
  status: Optional(OneOf(deliveryStatuses)),
  ...paging,
})

export const EventParams = Closed({ id: Uuid })
