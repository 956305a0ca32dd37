import { chainOf } from '../../domain/asset.ts'
import { type Attempt, lastLookAt } from '../../domain/attempt.ts'
import {
  BLIND_FAILURES,
  BLIND_MAX_MS,
  type BlindChain,
  isBlind as isBlindNow,
} from '../../domain/blind-chain.ts'
import type { Context } from '../context.ts'

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

/** So long after the last look that succeeded, one failed look is enough. */
const BLIND_AFTER_MS = 30_000

const chainIn = (kept: readonly BlindChain[], { assetId }: Attempt): BlindChain | undefined =>
  kept.find(({ chain }) => chain === chainOf(assetId))

/**
 * The time of the last successful look at an attempt whose chain cannot be read now; null while it can.
 * `kept` is what other servers, and this one before it was restarted, know of chains.
 */
export function blindSince(
  context: Pick<Context, 'storage'>,
  attempt: Attempt,
  now: number,
  kept: readonly BlindChain[] = [],
): number | null {
  if (attempt.provider !== null) return null
  const failures = memoryOf(context).failures.get(attempt.id) ?? 0
  const lastLook = lastLookAt(attempt)
  const chain = chainIn(kept, attempt)
  const isBlind =
    failures >= BLIND_FAILURES ||
    (failures > 0 && now - lastLook >= BLIND_AFTER_MS) ||
    (chain !== undefined && chain.since >= lastLook && isBlindNow(chain, now))
  return isBlind ? lastLook : null
}

/** How long the chain of an attempt could not be read until `readAt`, as far as another server noted it. */
function keptBlindTime(
  chain: BlindChain,
  attempt: Attempt,
  readAt: number,
): { since: number; until: number } {
  const until = chain.readAt ?? (isBlindNow(chain, readAt) ? readAt : chain.failedAt)
  const since = Math.max(lastLookAt(attempt), chain.since)
  return { since, until: chain.failures >= BLIND_FAILURES ? Math.min(until, readAt) : since }
}

/**
 * What changes about an attempt whose chain can be read again: the time in which it could not be does not
 * count towards lock and grace. Null if there was no such time, or lock and grace were over before.
 */
export function afterBlindTime(
  context: Pick<Context, 'storage'>,
  attempt: Attempt,
  readAt: number,
  kept: readonly BlindChain[],
): Pick<Attempt, 'lockedUntil' | 'graceLimit' | 'watchUntil' | 'blindMs'> | null {
  if (attempt.kind !== 'address') return null
  const own = blindSince(context, attempt, readAt)
  const chain = chainIn(kept, attempt)
  const { since, until } =
    own !== null || chain === undefined
      ? { since: own ?? readAt, until: readAt }
      : keptBlindTime(chain, attempt, readAt)
  const { lockedUntil, graceLimit, watchUntil, blindMs } = attempt
  if (since >= graceLimit) return null
  const lost = Math.min(until - since, BLIND_MAX_MS - blindMs)
  if (lost <= 0) return null
  return {
    lockedUntil: since < lockedUntil ? lockedUntil + lost : lockedUntil,
    graceLimit: graceLimit + lost,
    watchUntil: watchUntil + lost,
    blindMs: blindMs + lost,
  }
}
