import type { JobPriority } from '../../../domain/job.ts'
import type { Event } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'

export const deliveryLane = (merchantId: string): string => `webhook:${merchantId}`

/** New events go before a backlog, and `order.paid` goes before the others. */
const priorities = {
  first: { paid: 0, other: 1 },
  repeated: { paid: 2, other: 3 },
} as const satisfies Record<string, Record<string, JobPriority>>

/** The priority of a delivery that is tried again. */
export const repeatedPriority = (before: JobPriority): JobPriority => (before % 2 === 0 ? 2 : 3)

export async function scheduleJob(
  tables: Tables,
  { id, type, merchantId }: Pick<Event, 'id' | 'type' | 'merchantId'>,
  now: number,
  turn: keyof typeof priorities,
): Promise<void> {
  const priority = priorities[turn][type === 'order.paid' ? 'paid' : 'other']
  const lane = deliveryLane(merchantId)
  await tables.jobs.schedule({ kind: 'event.deliver', subject: id, lane, priority, dueAt: now })
}
