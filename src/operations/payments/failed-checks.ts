import type { Attempt } from '../../domain/attempt.ts'
import { type BlindChain, chainIn, type Unread, blindSince as unreadSince } from '../../domain/blind-chain.ts'
import { upstreamOf } from '../../domain/upstream.ts'
import type { Context } from '../context.ts'

const RETRY_MS = 60_000
const LATE_RETRY_MS = 3600_000

/** The results of checks since the server started. */
interface Memory {
  /** by upstream: the last time that it answered for any attempt, or that its chain could be read */
  answeredAt: Map<string, number>
  /** by attempt ID: the time since which it could not be checked */
  failingSince: Map<string, number>
  /** by attempt ID: the number of failed checks in a row */
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

/** The outcome of a check of some attempts at one upstream. */
interface Check {
  source: string
  attempts: Attempt[]
  unchecked: ReadonlySet<string>
  /** true if the chain could not be read; null if that is not known */
  hasFailed: boolean | null
}

/** Notes which attempts of one upstream were checked, and which were not. */
export function noteChecks(
  context: Pick<Context, 'storage'>,
  { source, attempts, unchecked, hasFailed }: Check,
  now: number,
): void {
  const { answeredAt, failingSince, failures } = memoryOf(context)
  if (unchecked.size < attempts.length || hasFailed === false) answeredAt.set(source, now)
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

/** True if an upstream answers for others, but not for this attempt: the attempt itself is the reason. */
function isReason({ answeredAt, failingSince }: Memory, { id }: Attempt, source: string): boolean {
  const since = failingSince.get(id)
  return since !== undefined && (answeredAt.get(source) ?? 0) >= since
}

/** True if the address of an attempt cannot be read, while its chain can be. */
export const isAddressUnread = (context: Pick<Context, 'storage'>, attempt: Attempt): boolean =>
  isReason(memoryOf(context), attempt, upstreamOf(attempt))

/**
 * The next try for an attempt that could not be checked. If only this attempt fails, it is tried less and
 * less often. After the end of its watch, it is tried seldom, because its upstream may never come back.
 */
export function retryCheckAt(
  context: Pick<Context, 'storage'>,
  source: string,
  attempt: Attempt,
  now: number,
): number {
  if (now >= attempt.watchUntil) return now + LATE_RETRY_MS
  const memory = memoryOf(context)
  const failingMs = now - (memory.failingSince.get(attempt.id) ?? now)
  return now + Math.min(LATE_RETRY_MS, Math.max(RETRY_MS, isReason(memory, attempt, source) ? failingMs : 0))
}

/** The reasons why an attempt may not have been read recently. `chains` are those that could not be read. */
export const unreadOf = (
  context: Pick<Context, 'storage'>,
  attempt: Attempt,
  chains: readonly BlindChain[],
): Unread => ({
  failures: memoryOf(context).failures.get(attempt.id) ?? 0,
  chain: chainIn(chains, attempt),
})

/** The time of the last successful check of an attempt whose chain cannot be read now; null while it can. */
export const blindSince = (
  context: Pick<Context, 'storage'>,
  attempt: Attempt,
  now: number,
  chains: readonly BlindChain[] = [],
): number | null => unreadSince(attempt, unreadOf(context, attempt, chains), now)
