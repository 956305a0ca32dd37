import { type Attempt, lastLookAt } from './attempt.ts'
import { isWithin } from './clock.ts'
import type { Order } from './order.ts'
import { isInvoice, upstreamOf } from './upstream.ts'

/** A chain whose last check failed, or that has been read again since then. */
export interface BlindChain {
  chain: string
  /** `since` is the time of the first of the consecutive failed checks, `failedAt` that of the last */
  since: number
  failedAt: number
  failures: number
  /** when a check succeeded again; null if none has */
  readAt: number | null
  /** IDs of the merchants who were notified */
  notified: string[]
}

/** After this many failed checks in a row, a chain counts as unreadable. */
const BLIND_FAILURES = 2
/**
 * A failed check counts for this long. Failed checks are repeated every minute, so after a longer gap nothing
 * is known about the chain.
 */
const KNOWN_MS = 3 * 60_000
/** Longest time by which an unreadable chain extends the lock and the grace of an attempt. */
export const BLIND_MAX_MS = 24 * 3600_000
/** Merchants are notified after this time: a short failure needs no action. */
const NOTIFY_AFTER_MS = 10 * 60_000
/**
 * Least time between two failures that are stored. Open pages check every few seconds, and not every failure
 * is worth a write.
 */
const NOTE_EVERY_MS = 30_000

/** True if the chain cannot be read now, as far as is known. */
export const isBlind = ({ readAt, failures, failedAt }: BlindChain, now: number): boolean =>
  readAt === null && failures >= BLIND_FAILURES && isWithin(KNOWN_MS, failedAt, now)

/** The reasons why an attempt may not have been read recently. */
export interface Unread {
  /** number of checks of the attempt that failed in a row on this server */
  failures: number
  /**
   * state of its chain as stored by all servers, also before they restarted; null if the chain could always
   * be read
   */
  chain: BlindChain | null
}

/**
 * Finds the chain of an attempt among the chains that could not be read recently; null if it is not among
 * them.
 */
export const chainIn = (chains: readonly BlindChain[], attempt: Attempt): BlindChain | null =>
  chains.find(({ chain }) => chain === upstreamOf(attempt)) ?? null

/**
 * One failed check is enough to treat the chain as unreadable if the last successful check is older than
 * this.
 */
const BLIND_AFTER_MS = 30_000

/**
 * The time of the last successful check of an attempt whose chain cannot be read now; null while it can be
 * read.
 */
export function blindSince(attempt: Attempt, { failures, chain }: Unread, now: number): number | null {
  if (attempt.provider !== null) return null
  const lastLook = lastLookAt(attempt)
  const isUnread =
    failures >= BLIND_FAILURES ||
    (failures > 0 && now - lastLook >= BLIND_AFTER_MS) ||
    (chain !== null && chain.since >= lastLook && isBlind(chain, now))
  return isUnread ? lastLook : null
}

/** The time until `readAt` in which an attempt's chain could not be read, as recorded by another server. */
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
 * The changes to an attempt whose chain can be read again: the time in which the chain could not be read does
 * not count towards lock and grace. Null if there was no such time, or if lock and grace had ended before.
 */
export function afterBlindTime(
  attempt: Attempt,
  { failures, chain }: Unread,
  readAt: number,
): Pick<Attempt, 'lockedUntil' | 'graceLimit' | 'watchUntil' | 'blindMs'> | null {
  // An expired invoice cannot be paid, whether or not Florin could read its state.
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

/**
 * The ends of an attempt's lock and grace when its order is ended early. A grace that has passed since the
 * last check goes on until now: the chain may have been unreadable, and such time does not count.
 */
export function endedEarly(
  attempt: Attempt,
  now: number,
): Pick<Attempt, 'lockedUntil' | 'graceLimit' | 'blindMs'> {
  const { kind, lockedUntil, graceLimit, blindMs } = attempt
  const isUnseen = kind === 'address' && lastLookAt(attempt) < graceLimit && graceLimit < now
  const lost = isUnseen ? Math.min(now - graceLimit, BLIND_MAX_MS - blindMs) : 0
  return {
    lockedUntil: Math.min(lockedUntil, now),
    graceLimit: Math.min(graceLimit + lost, now),
    blindMs: blindMs + lost,
  }
}

/**
 * Returns true if an attempt's lock and grace were ended with its order. Time in which the chain could not be
 * read no longer prolongs them.
 */
export const isEndedWith = (
  { expiresAt }: Pick<Order, 'expiresAt'>,
  { kind, graceLimit }: Attempt,
): boolean => kind === 'address' && graceLimit === expiresAt

/** True if the outcome of a check has to be stored, because it changes what is stored about the chain. */
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
