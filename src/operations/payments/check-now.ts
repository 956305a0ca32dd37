import { chainOf } from '../../domain/asset.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { type CheckContext, checkAttempts } from './check-attempts.ts'
import type { Checkout } from './load-checkout.ts'

/** An attempt, and a chain, are checked at most once in this time, however often pages ask. */
const PAUSE_MS = 5000
/** A provider calls back when a payment arrives. Asking it is for callbacks that were lost. */
const PROVIDER_PAUSE_MS = 30_000
/** A payment that takes long to confirm is checked less often. */
const CONFIRMING_PAUSE_MAX = 60_000
const CONFIRMING_PARTS = 8
const FORGET_MS = 3_600_000

interface Asked {
  checkedAt: number
  /** when a page first found it confirming; null while it is not */
  confirmingSince: number | null
}

interface Memory {
  attempts: Map<string, Asked>
  /** when pages last had a chain scanned */
  scannedAt: Map<string, number>
  /** attempts that pages asked for since then, by chain */
  waiting: Map<string, Set<string>>
}

const memories = new WeakMap<CheckContext['storage'], Memory>()

const isWatched = (attempt: Attempt, now: number): boolean =>
  attempt.thresholdAtomic > 0n &&
  attempt.reclaimedAt === null &&
  attempt.state !== 'settled' &&
  now <= attempt.watchUntil

/** Whose payments are checked. */
type Checked = Pick<Checkout, 'order' | 'attempts'>

/** Checks the payments of an order now, if any of them is due. See `startCheck`. */
export async function checkNow(
  context: CheckContext,
  checkout: Checked,
  why: 'page' | 'demand',
): Promise<void> {
  await startCheck(context, checkout, why)
}

/**
 * Starts to check the payments of an order, because somebody has its page open or demands it. Returns null if
 * none of them is due. Open pages of one chain share a scan: one that asks shortly after another is answered
 * from what is known, and takes part in the next scan. A demand is not made to wait for others, but each
 * attempt has a pause of its own.
 */
export function startCheck(
  context: CheckContext,
  { order, attempts }: Checked,
  why: 'page' | 'demand',
): Promise<void> | null {
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return null
  if (attempts.length === 0) return null
  const now = context.clock()
  const memory = memoryOf(context, now)
  const due = attempts.filter(attempt => isWatched(attempt, now) && isDue(memory, attempt, now))
  const bySource = Map.groupBy(due, ({ provider, assetId }) => provider ?? chainOf(assetId))
  const ids = [...bySource].flatMap(([source, some]) => takeDue(memory, source, some, why, now))
  for (const id of ids) {
    const { confirmingSince = null } = memory.attempts.get(id) ?? {}
    // The oldest come first, so that they are found when it is time to forget them.
    memory.attempts.delete(id)
    memory.attempts.set(id, { confirmingSince, checkedAt: now })
  }
  return ids.length === 0 ? null : checkAndSchedule(context, ids)
}

async function checkAndSchedule(context: CheckContext, ids: string[]): Promise<void> {
  const next = await checkAttempts(context, ids)
  await context.storage.write(async tables => {
    for (const [id, at] of next) if (at !== null) await tables.jobs.bringForward('attempt.poll', id, at)
  })
}

/** A clock that was ahead and is set back ends the pause. */
const isWithin = (at: number, ms: number, now: number): boolean => now >= at && now - at < ms

function isDue({ attempts }: Memory, { id, state, provider }: Attempt, now: number): boolean {
  const asked = attempts.get(id)
  if (!asked) return true
  asked.confirmingSince = state === 'confirming' ? (asked.confirmingSince ?? now) : null
  const waitedMs = asked.confirmingSince === null ? 0 : now - asked.confirmingSince
  const pauseMs = Math.min(
    CONFIRMING_PAUSE_MAX,
    Math.max(provider === null ? PAUSE_MS : PROVIDER_PAUSE_MS, waitedMs / CONFIRMING_PARTS),
  )
  return !isWithin(asked.checkedAt, pauseMs, now)
}

/** The attempts to check now for the sake of some that are due. */
function takeDue(
  { scannedAt, waiting }: Memory,
  source: string,
  due: Attempt[],
  why: 'page' | 'demand',
  now: number,
): string[] {
  const ids = due.map(({ id }) => id)
  if (why === 'demand' || due[0]?.provider) return ids
  const all = new Set([...(waiting.get(source) ?? []), ...ids])
  if (isWithin(scannedAt.get(source) ?? 0, PAUSE_MS, now)) {
    waiting.set(source, all)
    return []
  }
  scannedAt.set(source, now)
  waiting.delete(source)
  return [...all]
}

function memoryOf({ storage }: CheckContext, now: number): Memory {
  const memory = memories.get(storage) ?? { attempts: new Map(), scannedAt: new Map(), waiting: new Map() }
  memories.set(storage, memory)
  for (const [id, { checkedAt }] of memory.attempts) {
    if (now - checkedAt < FORGET_MS) break
    memory.attempts.delete(id)
  }
  return memory
}
