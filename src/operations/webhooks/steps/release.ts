import type { Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import { type Queue, type QueuedDelivery, queueOf, refOf } from './queue.ts'
import { scheduleJob } from './schedule-delivery.ts'

/** Max events that one write releases, to keep it short. Each successful delivery releases the next. */
const RELEASE_MAX = 100

/**
 * Schedules events that were given up or waited for an active webhook: those of subscribed types, of any age.
 * Returns their number.
 */
export async function releaseParked(tables: Tables, webhook: Webhook, now: number): Promise<number> {
  const queue = queueOf(tables, refOf(webhook))
  const parked = await queue.listParked(webhook, RELEASE_MAX)
  for (const delivery of parked) await scheduleDelivery(tables, queue, delivery, now)
  return parked.length
}

/** Schedules an event for delivery now. Its retry schedule restarts. */
export async function scheduleDelivery(
  tables: Tables,
  queue: Queue,
  delivery: QueuedDelivery,
  now: number,
): Promise<void> {
  const change = { status: 'pending', nextAttemptAt: now, firstTriedAt: null, updatedAt: now } as const
  await queue.update(delivery.id, change)
  await scheduleJob(tables, queue, delivery, now, 'repeated')
}

/**
 * Sends events that wait for a retry, and releases events that were given up or waited. Events that failed
 * already before `failingSince`, when others succeeded, wait a little longer: see `bringForward`.
 */
export async function releaseAll(
  tables: Tables,
  webhook: Webhook,
  now: number,
  failingSince = 0,
): Promise<void> {
  const queue = queueOf(tables, refOf(webhook))
  await queue.bringForward(now, failingSince)
  await tables.jobs.bringLaneForward(queue.lane, now)
  await releaseParked(tables, webhook, now)
}
