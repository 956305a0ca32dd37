import { type Attempt, lastLookAt } from './attempt.ts'
import { isWithin } from './clock.ts'
import { isInvoice, upstreamOf } from './upstream.ts'

/** A chain whose last check failed, or that was read again since. */
export interface BlindChain {
  chain: string
  /** first and last of the consecutive failed checks, and their number */
  since: number
  failedAt: number
  failures: number
  /** when a check succeeded again; null if none has */
  readAt: number | null
  /** IDs of the merchants who were notified */
  notified: string[]
}

/** After this many failed looks in a row, a chain cannot be read. */
const BLIND_FAILURES = 2
/** Failed looks are repeated every minute. If none was for longer, nothing is known about the chain. */
const KNOWN_MS = 3 * 60_000
/** Longest time by which a blind chain extends lock and grace. */
export const BLIND_MAX_MS = 24 * 3600_000
/** Merchants are notified after this time: a short failure needs no action. */
const NOTIFY_AFTER_MS = 10 * 60_000
/** Open pages check every few seconds; not every failure is worth a write. */
const NOTE_EVERY_MS = 30_000

/** True if the chain cannot be read now, as far as is known. */
export const isBlind = ({ readAt, failures, failedAt }: BlindChain, now: number): boolean =>
  readAt === null && failures >= BLIND_FAILURES && isWithin(KNOWN_MS, failedAt, now)

/** Why an attempt may not have been read recently. */
export interface Unread {
  /** how many looks at it have failed in a row, on this server */
  failures: number
  /** what all servers, also before they were restarted, know of its chain; null if it could always be read */
  chain: BlindChain | null
}

/** The chain of an attempt, of those that could not be read recently. */
export const chainIn = (chains: readonly BlindChain[], attempt: Attempt): BlindChain | null =>
  chains.find(({ chain }) => chain === upstreamOf(attempt)) ?? null

/** So long after the last look that succeeded, one failed look is enough. */
const BLIND_AFTER_MS = 30_000

/** The time of the last successful look at an attempt whose chain cannot be read now; null while it can. */
export function blindSince(attempt: Attempt, { failures, chain }: Unread, now: number): number | null {
  if (attempt.provider !== null) return null
  const lastLook = lastLookAt(attempt)
  const isUnread =
    failures >= BLIND_FAILURES ||
    (failures > 0 && now - lastLook >= BLIND_AFTER_MS) ||
    (chain !== null && chain.since >= lastLook && isBlind(chain, now))
  return isUnread ? lastLook : null
}

/** How long the chain of an attempt could not be read until `readAt`, as far as another server noted it. */
function notedBlindTime(
  chain: BlindChain,
  attempt: Attempt,
  readAt: number,
): { since: number; until: number } {
  const until = chain.readAt ?? (isBlind(chain, readAt) ? readAt : chain.failedAt)
  const since = Math.max(lastLookAt(attempt), chain.since)
  return { since, until: chain.failures >= BLIND_FAILURES ? Math.min(until, readAt) : since }
}

/**
 * What changes about an attempt whose chain can be read again: the time in which it could not be does not
 * count towards lock and grace. Null if there was no such time, or lock and grace were over before.
 */
export function afterBlindTime(
  attempt: Attempt,
  { failures, chain }: Unread,
  readAt: number,
): Pick<Attempt, 'lockedUntil' | 'graceLimit' | 'watchUntil' | 'blindMs'> | null {
  // A wallet takes no payment of an expired invoice, whatever Florin could see.
  if (attempt.kind !== 'address' || isInvoice(attempt)) return null
  const own = blindSince(attempt, { failures, chain: null }, readAt)
  const { since, until } =
    own !== null || chain === null
      ? { since: own ?? readAt, until: readAt }
      : notedBlindTime(chain, attempt, readAt)
  const { lockedUntil, graceLimit, watchUntil, blindMs } = attempt
  const lost = Math.min(until - since, BLIND_MAX_MS - blindMs)
  if (since >= graceLimit || lost <= 0) return null
  return {
    lockedUntil: since < lockedUntil ? lockedUntil + lost : lockedUntil,
    graceLimit: graceLimit + lost,
    watchUntil: watchUntil + lost,
    blindMs: blindMs + lost,
  }
}

/** Whether the outcome of a look says more than what is known. */
export function isNews(known: BlindChain | null, hasFailed: boolean, now: number): boolean {
  const isFailing = known !== null && known.readAt === null
  if (!hasFailed) return isFailing
  return !isFailing || known.failures < BLIND_FAILURES || !isWithin(NOTE_EVERY_MS, known.failedAt, now)
}

/** The stored state after one more failed check. */
export function failedAgain(known: BlindChain | null, chain: string, now: number): BlindChain {
  if (known === null || known.readAt !== null)
    return { chain, since: now, failedAt: now, failures: 1, readAt: null, notified: [] }
  // After a gap without checks the chain may have been readable, so blindness starts again. Merchants who
  // were notified still wait for the all-clear.
  const isSameTime = isWithin(NOTIFY_AFTER_MS, known.failedAt, now)
  return {
    ...known,
    since: isSameTime ? Math.min(known.since, now) : now,
    failedAt: now,
    failures: isSameTime ? known.failures + 1 : 1,
  }
}

/** True if merchants should be notified that a chain is blind. */
export const isWorthNotice = ({ since, failures }: BlindChain, now: number): boolean =>
  failures >= BLIND_FAILURES && now - since >= NOTIFY_AFTER_MS
