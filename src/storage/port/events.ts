import type { PageStart } from '../../domain/page.ts'
import type {
  Delivery,
  DeliveryStatus,
  Event,
  EventType,
  EventWithDelivery,
  Webhook,
} from '../../domain/webhook.ts'

export interface Webhooks {
  find(merchantId: string): Promise<Webhook | null>
  /** Inserts the webhook, or replaces the one with the same ID. */
  put(webhook: Webhook): Promise<void>
}

export interface EventFilter {
  merchantId: string
  type?: EventType | undefined
  /** the status of the delivery */
  status?: DeliveryStatus | undefined
}

export interface Events {
  find(id: string): Promise<EventWithDelivery | null>
  /** Newest first. */
  list(filter: EventFilter, limit: number, after: PageStart | null): Promise<EventWithDelivery[]>
  insert(event: Event, delivery: Delivery): Promise<void>
  updateDelivery(eventId: string, change: Partial<Delivery>): Promise<void>
  /** The IDs of events that wait for an active endpoint, oldest first. */
  listWaiting(merchantId: string, createdFrom: number): Promise<string[]>
}
