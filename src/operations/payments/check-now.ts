import type { Attempt } from '../../domain/attempt.ts'
import type { Context } from '../context.ts'
import { checkAttempts } from './check-attempts.ts'
import type { Checkout } from './load-checkout.ts'

/**
 * At most one look-up upstream for an attempt in this time; a demand in between answers from what is known.
 */
const LOOK_PAUSE_MS = 5000

const looks = new WeakMap<Context, Map<string, number>>()

const isWatched = (attempt: Attempt, now: number): boolean =>
  attempt.thresholdAtomic > 0n && attempt.state !== 'settled' && now <= attempt.watchUntil

/** Checks now, for somebody who looks at the page, what has become of an order's payments. */
export async function checkNow(context: Context, { order, attempts }: Checkout): Promise<void> {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return
  const now = context.clock()
  const seen = looksOf(context, now)
  const dueAtomic = attempts.filter(
    attempt => isWatched(attempt, now) && now - (seen.get(attempt.id) ?? 0) >= LOOK_PAUSE_MS,
  )
  for (const attempt of dueAtomic) seen.set(attempt.id, now)
  if (dueAtomic.length === 0) return
  const next = await checkAttempts(
    context,
    dueAtomic.map(attempt => attempt.id),
  )
  await context.storage.write(async tables => {
    for (const [id, at] of next) if (at !== null) await tables.jobs.bringForward('attempt.poll', id, at)
  })
}

function looksOf(context: Context, now: number): Map<string, number> {
  const seen = looks.get(context) ?? new Map<string, number>()
  looks.set(context, seen)
  for (const [id, at] of seen) if (now - at >= LOOK_PAUSE_MS) seen.delete(id)
  return seen
}
