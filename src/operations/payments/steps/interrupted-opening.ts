import type { Attempt } from '../../../domain/attempt.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { checkLane } from './schedule-check.ts'

/** A provider that has not answered by then never will: the server was killed while it waited. */
const OPENING_MAX_MS = 5 * 60_000

/** An attempt whose page at the provider is not known. */
export const isUnopened = ({ kind, redirectUrl }: Attempt): boolean =>
  kind === 'redirect' && redirectUrl === null

/** Schedules a look at an opening that begins, in the same write. Once its page is known, others follow. */
export const scheduleOpening = (tables: Tables, attempt: Attempt, now: number): Promise<void> =>
  tables.jobs.schedule({
    kind: 'attempt.check',
    subject: attempt.id,
    lane: checkLane(attempt),
    dueAt: now + OPENING_MAX_MS,
  })

/**
 * Fails an opening that was interrupted, as if the provider had refused it, so that the order does not look
 * as if it were still being opened. Returns when to look again; null if that is settled.
 */
export async function failInterrupted(
  { storage, clock, log }: Pick<Context, 'storage' | 'clock' | 'log'>,
  id: string,
): Promise<number | null> {
  const now = clock()
  const result = await storage.write(async tables => {
    const attempt = await tables.attempts.find(id)
    if (!attempt || !isUnopened(attempt) || attempt.state !== 'waiting') return null
    const dueAt = attempt.updatedAt + OPENING_MAX_MS
    if (now < dueAt) return dueAt
    await tables.attempts.update(id, { state: 'failed', updatedAt: now })
    const found = await tables.orders.find(attempt.orderId)
    const isOpening = found?.order.status === 'UNPAID' && found.session.status === 'PROVISIONING'
    if (isOpening) await tables.sessions.move(attempt.orderId, 'PROVISIONING', 'FAILED', now)
    return attempt
  })
  if (result === null || typeof result === 'number') return result
  const { provider, methodKey, orderId } = result
  log.warn({ provider, methodKey, attemptId: id, orderUUID: orderId }, 'provider.provision.interrupted')
  return null
}
