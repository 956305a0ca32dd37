import type { Attempt } from '../../domain/attempt.ts'
import { type CheckContext, checkAttempts } from './check-attempts.ts'
import type { Checkout } from './load-checkout.ts'

/** An attempt is checked at most once in this time, however often the page asks. */
const PAUSE_MS = 5000

const lastChecks = new WeakMap<CheckContext['storage'], Map<string, number>>()

const isWatched = (attempt: Attempt, now: number): boolean =>
  attempt.thresholdAtomic > 0n &&
  attempt.reclaimedAt === null &&
  attempt.state !== 'settled' &&
  now <= attempt.watchUntil

/** Checks the payments of an order now, because somebody has its page open. */
export async function checkNow(context: CheckContext, { order, attempts }: Checkout): Promise<void> {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return
  const now = context.clock()
  const checkedAt = recentChecks(context, now)
  const due = attempts.filter(
    attempt => isWatched(attempt, now) && now - (checkedAt.get(attempt.id) ?? 0) >= PAUSE_MS,
  )
  for (const attempt of due) checkedAt.set(attempt.id, now)
  if (due.length === 0) return
  const next = await checkAttempts(
    context,
    due.map(attempt => attempt.id),
  )
  await context.storage.write(async tables => {
    for (const [id, at] of next) if (at !== null) await tables.jobs.bringForward('attempt.poll', id, at)
  })
}

function recentChecks({ storage }: CheckContext, now: number): Map<string, number> {
  const checks = lastChecks.get(storage) ?? new Map<string, number>()
  lastChecks.set(storage, checks)
  for (const [id, at] of checks) if (now - at >= PAUSE_MS) checks.delete(id)
  return checks
}
