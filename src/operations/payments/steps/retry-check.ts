import type { Attempt } from '../../../domain/attempt.ts'
import type { Context } from '../../context.ts'

const RETRY_MS = 60_000
const LATE_RETRY_MS = 3600_000

/** What is known since the server started. */
interface Memory {
  /** when an upstream last answered for any attempt */
  answeredAt: Map<string, number>
  /** since when an attempt could not be checked */
  failingSince: Map<string, number>
  /** how many looks at an attempt have failed in a row */
  failures: Map<string, number>
}

const memories = new WeakMap<Context['storage'], Memory>()

function memoryOf({ storage }: Pick<Context, 'storage'>): Memory {
  const memory = memories.get(storage) ?? {
    answeredAt: new Map(),
    failingSince: new Map(),
    failures: new Map(),
  }
  memories.set(storage, memory)
  return memory
}

/** Notes which attempts of one upstream were checked, and which were not. */
export function noteChecks(
  context: Pick<Context, 'storage'>,
  source: string,
  attempts: Attempt[],
  unchecked: ReadonlySet<string>,
  now: number,
): void {
  const { answeredAt, failingSince, failures } = memoryOf(context)
  if (unchecked.size < attempts.length) answeredAt.set(source, now)
  for (const { id } of attempts) {
    if (unchecked.has(id)) {
      failures.set(id, (failures.get(id) ?? 0) + 1)
      if (!failingSince.has(id)) failingSince.set(id, now)
    } else {
      failures.delete(id)
      failingSince.delete(id)
    }
  }
}

/**
 * When an attempt that could not be checked is tried again. If its upstream answers for others, the attempt
 * is itself the reason, and is tried less and less often. An upstream that is still unavailable when a watch
 * is over may stay so forever.
 */
export function retryCheckAt(
  context: Pick<Context, 'storage'>,
  source: string,
  { id, watchUntil }: Attempt,
  now: number,
): number {
  if (now >= watchUntil) return now + LATE_RETRY_MS
  const { answeredAt, failingSince } = memoryOf(context)
  const since = failingSince.get(id) ?? now
  const isItself = (answeredAt.get(source) ?? 0) >= since
  return now + Math.min(LATE_RETRY_MS, Math.max(RETRY_MS, isItself ? now - since : 0))
}

/** After this many failed looks in a row, the chain of an attempt cannot be read. */
const BLIND_FAILURES = 2
/** So long after the last look that succeeded, one failed look is enough. */
const BLIND_AFTER_MS = 30_000

/**
 * The time of the last successful look at an attempt whose chain cannot be read now; null while it can. An
 * attempt was opened with a working endpoint, which counts as a look.
 */
export function blindSince(
  context: Pick<Context, 'storage'>,
  { id, provider, checkedAt, createdAt }: Attempt,
  now: number,
): number | null {
  const failures = provider === null ? (memoryOf(context).failures.get(id) ?? 0) : 0
  const lastLook = Math.max(checkedAt ?? 0, createdAt)
  const isBlind = failures >= BLIND_FAILURES || (failures > 0 && now - lastLook >= BLIND_AFTER_MS)
  return isBlind ? lastLook : null
}

/** A chain that cannot be read for longer does not hold a price for longer. */
const BLIND_MAX_MS = 24 * 3600_000

/**
 * What changes about an attempt whose chain can be read again: the time in which it could not be does not
 * count towards lock and grace. Null if there was no such time, or lock and grace were over before.
 */
export function afterBlindTime(
  context: Pick<Context, 'storage'>,
  attempt: Attempt,
  readAt: number,
): Pick<Attempt, 'lockedUntil' | 'graceLimit' | 'watchUntil' | 'blindMs'> | null {
  const since = attempt.kind === 'address' ? blindSince(context, attempt, readAt) : null
  const { lockedUntil, graceLimit, watchUntil, blindMs } = attempt
  if (since === null || since >= graceLimit) return null
  const lost = Math.min(readAt - since, BLIND_MAX_MS - blindMs)
  if (lost <= 0) return null
  return {
    lockedUntil: since < lockedUntil ? lockedUntil + lost : lockedUntil,
    graceLimit: graceLimit + lost,
    watchUntil: watchUntil + lost,
    blindMs: blindMs + lost,
  }
}
