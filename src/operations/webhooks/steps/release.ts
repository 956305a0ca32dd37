import type { Event, Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import { deliveryLane, scheduleJob } from './schedule-delivery.ts'

/** Keeps a write short. Each successful delivery releases the next events. */
const RELEASE_MAX = 100

/**
 * Schedules events that were given up or waited for an active webhook: those of subscribed types, of any age.
 * Returns their number.
 */
export async function releaseParked(tables: Tables, webhook: Webhook, now: number): Promise<number> {
  const { merchantId, events } = webhook
  const parked = await tables.events.listParked(merchantId, events, RELEASE_MAX)
  for (const event of parked) await scheduleDelivery(tables, { ...event, merchantId }, now)
  return parked.length
}

/** Schedules an event for delivery now. Its retry schedule restarts. */
export async function scheduleDelivery(
  tables: Tables,
  event: Pick<Event, 'id' | 'type' | 'merchantId'>,
  now: number,
): Promise<void> {
  const change = { status: 'pending', nextAttemptAt: now, firstTriedAt: null, updatedAt: now } as const
  await tables.events.updateDelivery(event.id, change)
  await scheduleJob(tables, event, now, 'repeated')
}

/**
 * Sends what waits for a retry, and releases events that were given up or waited. Events that failed already
 * before `failingSince`, when others succeeded, wait a little longer: see `bringForward`.
 */
export async function releaseAll(
  tables: Tables,
  webhook: Webhook,
  now: number,
  failingSince = 0,
): Promise<void> {
  await tables.events.bringForward(webhook.merchantId, now, failingSince)
  await tables.jobs.bringLaneForward(deliveryLane(webhook.merchantId), now)
  await releaseParked(tables, webhook, now)
}
