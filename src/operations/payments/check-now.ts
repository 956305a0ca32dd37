import type { Attempt } from '../../domain/attempt.ts'
import { type CheckContext, checkAttempts } from './check-attempts.ts'
import type { Checkout } from './load-checkout.ts'

/** An attempt on a chain is checked at most once in this time, however often the page asks. */
const CHAIN_PAUSE_MS = 5000
/** A provider calls back when a payment arrives. Asking it is for callbacks that were lost. */
const PROVIDER_PAUSE_MS = 30_000

const pauseOf = ({ provider }: Attempt): number => (provider === null ? CHAIN_PAUSE_MS : PROVIDER_PAUSE_MS)

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
    attempt => isWatched(attempt, now) && now - (checkedAt.get(attempt.id) ?? 0) >= pauseOf(attempt),
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
  for (const [id, at] of checks) if (now - at >= PROVIDER_PAUSE_MS) checks.delete(id)
  return checks
}
