import type { Opening } from '../../../domain/opening.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { checkLane } from './schedule-check.ts'

/**
 * An opening of this age was interrupted: the server was killed while it waited for the provider's answer.
 */
const OPENING_MAX_MS = 5 * 60_000

/**
 * Schedules the first check of an opening, in the write that stores it. Once its page is known, others
 * follow.
 */
export const scheduleOpening = (tables: Tables, opening: Opening, now: number): Promise<void> =>
  tables.jobs.schedule({
    kind: 'attempt.check',
    subject: opening.id,
    lane: checkLane(opening.provider),
    dueAt: now + OPENING_MAX_MS,
  })

/**
 * Fails an opening that was interrupted, as if the provider had refused it, so that the order does not look
 * as if it were still being opened. Returns the time of the next check; null if the opening has been dealt
 * with.
 */
export async function failInterrupted(
  { storage, clock, log }: Pick<Context, 'storage' | 'clock' | 'log'>,
  id: string,
): Promise<number | null> {
  const now = clock()
  const result = await storage.write(async tables => {
    const opening = await tables.attempts.findOpening(id)
    if (opening?.state !== 'waiting') return null
    const dueAt = opening.updatedAt + OPENING_MAX_MS
    if (now < dueAt) return dueAt
    await tables.attempts.updateOpening(id, { state: 'failed', updatedAt: now })
    const found = await tables.orders.find(opening.orderId)
    const isOpening = found?.order.status === 'UNPAID' && found.session.status === 'PROVISIONING'
    if (isOpening) await tables.sessions.move(opening.orderId, 'PROVISIONING', 'FAILED', now)
    return opening
  })
  if (result === null || typeof result === 'number') return result
  const { provider, methodKey, orderId } = result
  log.warn({ provider, methodKey, attemptId: id, orderUUID: orderId }, 'provider.provision.interrupted')
  return null
}
