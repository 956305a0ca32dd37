import type { JobKind } from '../../../domain/job.ts'
import {
  type Delivery,
  isEventType,
  type MessageType,
  type MessageWithDelivery,
  type Webhook,
} from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'

/** Identifies a webhook of a merchant. The first webhook has no `furtherId`. */
export interface WebhookRef {
  merchantId: string
  furtherId: string | null
}

export const refOf = ({ merchantId, id, isFirst }: Webhook): WebhookRef => ({
  merchantId,
  furtherId: isFirst ? null : id,
})

/** A delivery to be scheduled. A delivery to the first webhook has the ID of its event. */
export interface QueuedDelivery {
  id: string
  type: MessageType
}

/** The deliveries to one webhook, with the jobs that send them. Each webhook has a lane of its own. */
export interface Queue {
  lane: string
  deliver: JobKind
  watch: { kind: JobKind; subject: string; lane: string }
  webhook(): Promise<Webhook | null>
  put(webhook: Webhook): Promise<void>
  find(id: string): Promise<MessageWithDelivery | null>
  update(id: string, change: Partial<Delivery>): Promise<void>
  /** See `Events.listParked`. */
  listParked(webhook: Webhook, limit: number): Promise<QueuedDelivery[]>
  /** See `Events.bringForward`. */
  bringForward(now: number, failingSince: number): Promise<void>
}

const firstQueue = (tables: Tables, merchantId: string): Queue => ({
  lane: `webhook:${merchantId}`,
  deliver: 'event.deliver',
  watch: { kind: 'webhook.watch', subject: merchantId, lane: `watch:${merchantId}` },
  webhook: () => tables.webhooks.find(merchantId),
  put: webhook => tables.webhooks.put(webhook),
  find: id => tables.events.find(id),
  update: (id, change) => tables.events.updateDelivery(id, change),
  listParked: ({ events, sendsFrom }, limit) =>
    tables.events.listParked(merchantId, events.filter(isEventType), limit, sendsFrom ?? 0),
  bringForward: (now, failingSince) => tables.events.bringForward(merchantId, now, failingSince),
})

const furtherQueue = (tables: Tables, merchantId: string, id: string): Queue => ({
  lane: `webhook:${id}`,
  deliver: 'further.deliver',
  watch: { kind: 'further.watch', subject: watchSubject({ merchantId, furtherId: id }), lane: `watch:${id}` },
  webhook: async () => (await tables.furtherWebhooks.find(merchantId)).find(one => one.id === id) ?? null,
  put: webhook => tables.furtherWebhooks.put(webhook),
  find: deliveryId => tables.furtherDeliveries.find(deliveryId),
  update: (deliveryId, change) => tables.furtherDeliveries.update(deliveryId, change),
  listParked: ({ events }, limit) => tables.furtherDeliveries.listParked(id, events, limit),
  bringForward: (now, failingSince) => tables.furtherDeliveries.bringForward(id, now, failingSince),
})

export const queueOf = (tables: Tables, { merchantId, furtherId }: WebhookRef): Queue =>
  furtherId === null ? firstQueue(tables, merchantId) : furtherQueue(tables, merchantId, furtherId)

const watchSubject = ({ merchantId, furtherId }: WebhookRef): string => `${merchantId} ${furtherId}`

/** The webhook that a watch job is for, by the subject of the job. */
export function refOfSubject(subject: string): WebhookRef {
  const [merchantId = '', furtherId = ''] = subject.split(' ')
  return { merchantId, furtherId }
}
