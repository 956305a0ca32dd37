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

/** The first webhook of each merchant. */
export interface Webhooks {
  find(merchantId: string): Promise<Webhook | null>
  /** Lists all webhooks of a merchant with one query: the first one, if it is set, then the others by age. */
  listOf(merchantId: string): Promise<Webhook[]>
  /** Inserts the webhook, or replaces the one with the same ID. */
  put(webhook: Webhook): Promise<void>
}

/** The webhooks that merchants have besides their first one. */
export interface FurtherWebhooks {
  /** Lists the further webhooks of a merchant, oldest first. */
  find(merchantId: string): Promise<readonly Webhook[]>
  /** Inserts the webhook, or replaces the one with the same ID. */
  put(webhook: Webhook): Promise<void>
  /** Deletes a webhook and its deliveries. */
  remove(id: string): Promise<void>
}

/** Events, and their deliveries to webhooks besides the first ones. */
export interface FurtherDeliveries {
  find(id: string): Promise<{ event: Event<MessageType>; delivery: FurtherDelivery } | null>
  /** Lists the deliveries to a webhook, newest first. */
  list(webhookId: string, limit: number): Promise<{ event: Event<MessageType>; delivery: FurtherDelivery }[]>
  /** Lists the deliveries of an order's events to a webhook that wait for a try. */
  listWaiting(webhookId: string, orderId: string): Promise<FurtherDelivery[]>
  /** Lists all deliveries of an event, newest first. */
  listOfEvent(eventId: string): Promise<FurtherDelivery[]>
  /** Inserts an event that is not delivered to the first webhook. */
  insertEvent(event: Event<MessageType>): Promise<void>
  insert(delivery: FurtherDelivery): Promise<void>
  update(id: string, change: Partial<Delivery>): Promise<void>
  /** Like `listParked` of `Events`, but returns the IDs of deliveries. */
  listParked(
    webhookId: string,
    types: MessageType[],
    limit: number,
  ): Promise<{ id: string; type: MessageType }[]>
  /** The number of deliveries to a webhook that were given up. */
  countGivenUp(webhookId: string): Promise<number>
  /** Like `bringForward` of `Events`. */
  bringForward(webhookId: string, now: number, failingSince: number): Promise<void>
}

export interface EventFilter {
  merchantId: string
  type?: EventType | undefined
  status?: DeliveryStatus | undefined
  createdFrom?: number | undefined
  /** end of the period, exclusive */
  createdTo?: number | undefined
}

export interface Events {
  find(id: string): Promise<EventWithDelivery | null>
  /** Lists the events that match a filter, newest first. */
  list(filter: EventFilter, limit: number, after: PageStart | null): Promise<EventWithDelivery[]>
  /** Lists the events of an order, newest first. */
  listOfOrder(orderId: string, limit: number): Promise<EventWithDelivery[]>
  /** Number of a merchant's events with this delivery status. */
  countByStatus(merchantId: string, status: DeliveryStatus): Promise<number>
  insert(event: Event, delivery: Delivery): Promise<void>
  updateDelivery(eventId: string, change: Partial<Delivery>): Promise<void>
  /**
   * Lists events of these types that were given up or wait for an active webhook: `order.paid` first, then by
   * type, oldest first. Events created before `from` are left out.
   */
  listParked(
    merchantId: string,
    types: EventType[],
    limit: number,
    from?: number,
  ): Promise<Pick<Event, 'id' | 'type'>[]>
  /**
   * Makes scheduled retries due at `now`, unless they are due earlier. The webhook of the merchant has failed
   * since `failingSince`. An event that was first tried before then failed while others succeeded. It waits
   * for an eighth of that time after its last try, so that one refused event is not sent with every other
   * one.
   */
  bringForward(merchantId: string, now: number, failingSince: number): Promise<void>
}
