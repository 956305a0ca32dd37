import type { Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import { deliveryLane } from './record-event.ts'

/** Keeps a write short. Each successful delivery releases the next events. */
const RELEASE_MAX = 100

/**
 * Schedules events that were given up or waited for an active endpoint, of the subscribed types and whatever
 * their age. Returns the number of events.
 */
export async function releaseParked(tables: Tables, webhook: Webhook, now: number): Promise<number> {
  const { merchantId, events } = webhook
  const parked = await tables.events.listParked(merchantId, events, RELEASE_MAX)
  for (const eventId of parked) await scheduleDelivery(tables, merchantId, eventId, now)
  return parked.length
}

/** Schedules an event for delivery now. Its retry schedule restarts. */
export async function scheduleDelivery(
  tables: Tables,
  merchantId: string,
  eventId: string,
  now: number,
): Promise<void> {
  const change = { status: 'pending', nextAttemptAt: now, firstTriedAt: null, updatedAt: now } as const
  await tables.events.updateDelivery(eventId, change)
  const lane = deliveryLane(merchantId)
  await tables.jobs.schedule({ kind: 'event.deliver', subject: eventId, lane, dueAt: now })
}

/** Sends everything that waits for a retry now, and releases what was given up or waited. */
export async function releaseAll(tables: Tables, webhook: Webhook, now: number): Promise<void> {
  await tables.events.bringForward(webhook.merchantId, now)
  await tables.jobs.bringLaneForward(deliveryLane(webhook.merchantId), now)
  await releaseParked(tables, webhook, now)
}
