import type { PageStart } from '../../domain/page.ts'
import type {
  Delivery,
  DeliveryStatus,
  Event,
  EventType,
  EventWithDelivery,
  FurtherDelivery,
  MessageType,
  Webhook,
} from '../../domain/webhook.ts'

/** The first webhooks of merchants. */
export interface Webhooks {
  find(merchantId: string): Promise<Webhook | null>
  /** All webhooks of a merchant: the first one, if it is set, then the others by age. One query. */
  listOf(merchantId: string): Promise<Webhook[]>
  /** Inserts the webhook, or replaces the one with the same ID. */
  put(webhook: Webhook): Promise<void>
}

/** The webhooks of merchants beside the first ones. */
export interface FurtherWebhooks {
  /** Oldest first. */
  find(merchantId: string): Promise<readonly Webhook[]>
  /** Inserts the webhook, or replaces the one with the same ID. */
  put(webhook: Webhook): Promise<void>
  /** Deletes a webhook and its deliveries. */
  remove(id: string): Promise<void>
}

/** Events and their deliveries to the webhooks beside the first ones. */
export interface FurtherDeliveries {
  find(id: string): Promise<{ event: Event<MessageType>; delivery: FurtherDelivery } | null>
  /** Newest first. */
  list(webhookId: string, limit: number): Promise<{ event: Event<MessageType>; delivery: FurtherDelivery }[]>
  /** All deliveries of an event, newest first. */
  listOfEvent(eventId: string): Promise<FurtherDelivery[]>
  /** Inserts an event that is not delivered to the first webhook. */
  insertEvent(event: Event<MessageType>): Promise<void>
  insert(delivery: FurtherDelivery): Promise<void>
  update(id: string, change: Partial<Delivery>): Promise<void>
  /** As for the first webhook, but with the IDs of deliveries. */
  listParked(
    webhookId: string,
    types: MessageType[],
    limit: number,
  ): Promise<{ id: string; type: MessageType }[]>
  /** The number of deliveries to a webhook that were given up. */
  countGivenUp(webhookId: string): Promise<number>
  /** As for the first webhook. */
  bringForward(webhookId: string, now: number, failingSince: number): Promise<void>
}

export interface EventFilter {
  merchantId: string
  type?: EventType | undefined
  status?: DeliveryStatus | undefined
  createdFrom?: number | undefined
  /** exclusive */
  createdTo?: number | undefined
}

export interface Events {
  find(id: string): Promise<EventWithDelivery | null>
  /** Newest first. */
  list(filter: EventFilter, limit: number, after: PageStart | null): Promise<EventWithDelivery[]>
  /** Newest first. */
  listOfOrder(orderId: string, limit: number): Promise<EventWithDelivery[]>
  /** Number of a merchant's events with this delivery status. */
  countByStatus(merchantId: string, status: DeliveryStatus): Promise<number>
  insert(event: Event, delivery: Delivery): Promise<void>
  updateDelivery(eventId: string, change: Partial<Delivery>): Promise<void>
  /**
   * Events of these types that were given up or wait for an active webhook: `order.paid` first, then by type,
   * oldest first. Those before `from` are left out.
   */
  listParked(
    merchantId: string,
    types: EventType[],
    limit: number,
    from?: number,
  ): Promise<Pick<Event, 'id' | 'type'>[]>
  /**
   * Makes the scheduled retries of a merchant whose webhook failed since `failingSince` due at `now`, unless
   * they are due earlier. An event that was first tried before that failed while others succeeded: it waits
   * for an eighth of that time after its last try, so that one refused event is not sent with every other.
   */
  bringForward(merchantId: string, now: number, failingSince: number): Promise<void>
}
