import type { JobPriority } from '../../../domain/job.ts'
import { isOfPaidOrder } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Queue, QueuedDelivery } from './queue.ts'

/** New events go before a backlog, and those of paid orders go before the others. */
const priorities = {
  first: { paid: 0, other: 1 },
  repeated: { paid: 2, other: 3 },
} as const satisfies Record<string, Record<string, JobPriority>>

/** The priority of a delivery that is tried again. */
export const repeatedPriority = (before: JobPriority): JobPriority => (before % 2 === 0 ? 2 : 3)

export async function scheduleJob(
  tables: Tables,
  { deliver: kind, lane }: Pick<Queue, 'deliver' | 'lane'>,
  { id, type }: QueuedDelivery,
  now: number,
  turn: keyof typeof priorities,
): Promise<void> {
  const priority = priorities[turn][isOfPaidOrder(type) ? 'paid' : 'other']
  await tables.jobs.schedule({ kind, subject: id, lane, priority, dueAt: now })
}
