import { type Attempt, isWatched } from '../../domain/attempt.ts'
import { isWithin } from '../../domain/clock.ts'
import { ASK_PAUSE_MS, answerAt, type Elsewhere, firstLookAt, noLooks } from '../../domain/elsewhere.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { Checkout } from '../payments/load-checkout.ts'
import { otherChains } from './steps/other-chains.ts'

/** All looks share a lane, and so their requests. */
const job = (attemptId: string, dueAt: number) =>
  ({ kind: 'elsewhere.look', subject: attemptId, lane: 'elsewhere', dueAt }) as const

/** Schedules the first look at the other chains of a new attempt. */
export async function scheduleLooks(
  context: Pick<Context, 'networks'>,
  tables: Tables,
  attempt: Attempt,
): Promise<void> {
  if (otherChains(context, attempt).length === 0) return
  await tables.jobs.schedule(job(attempt.id, firstLookAt(attempt)))
}

/**
 * Has the other chains of an order's payments looked at, since the buyer says that they paid on another
 * network. At most once a minute for an order: a buyer who asks again is answered from what is known.
 */
export async function askElsewhere(
  context: Pick<Context, 'networks' | 'storage' | 'clock'>,
  { order, attempts }: Pick<Checkout, 'order' | 'attempts'>,
): Promise<void> {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return
  const now = context.clock()
  const asked = attempts.filter(one => isWatched(one, now) && otherChains(context, one).length > 0)
  if (asked.length === 0) return
  await context.storage.write(async tables => {
    const known: Elsewhere[] = []
    for (const { id } of asked) known.push((await tables.elsewhere.find(id)) ?? noLooks(id))
    if (known.some(({ askedAt }) => askedAt !== null && isWithin(ASK_PAUSE_MS, askedAt, now))) return
    for (const one of known) {
      await tables.elsewhere.put({ ...one, askedAt: now })
      await tables.jobs.schedule(job(one.attemptId, answerAt(now)))
    }
  })
}
