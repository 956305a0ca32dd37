import type { Attempt } from './attempt.ts'
import type { Json } from './metadata.ts'
import { upstreamOf } from './upstream.ts'

/** State of one other chain on which an attempt's address exists too. */
interface ChainLook {
  readAt: number | null
  /** when reading the chain last failed; null if the last check succeeded */
  failedAt: number | null
  /** position at which the next scan continues; null while nothing has arrived there */
  cursor: Json
}

/** State of the other chains of an attempt. */
export interface Elsewhere {
  attemptId: string
  /** when a buyer last said that they paid on another network; null if never */
  askedAt: number | null
  chains: Record<string, ChainLook>
}

/**
 * Returns true if the source of a payment is a chain other than the one on which the attempt expects
 * payments.
 */
export const isElsewhere = (attempt: Attempt, source: string): boolean =>
  attempt.provider === null && source !== upstreamOf(attempt)

const neverRead: ChainLook = { readAt: null, failedAt: null, cursor: null }

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600_000
/** Least time between two requests of an order's buyer to check the other chains. */
export const ASK_PAUSE_MS = MINUTE_MS

export const noLooks = (attemptId: string): Elsewhere => ({ attemptId, askedAt: null, chains: {} })

export const lookAt = ({ chains }: Pick<Elsewhere, 'chains'>, chain: string): ChainLook =>
  chains[chain] ?? neverRead

export const withLook = (known: Elsewhere, chain: string, change: Partial<ChainLook>): Elsewhere => ({
  ...known,
  chains: { ...known.chains, [chain]: { ...lookAt(known, chain), ...change } },
})

/** Rounds up to a multiple of a step. */
const aligned = (time: number, stepMs: number): number => Math.ceil(time / stepMs) * stepMs

/**
 * When to read the other chains: at the end of lock, grace and watch, and once a day in between. A settled
 * attempt has its money and gets only the check at the end of the watch.
 */
function timesOf({ state, lockedUntil, graceUntil, watchUntil }: Attempt, now: number): number[] {
  if (state === 'settled') return [watchUntil]
  const days = Math.floor((now - lockedUntil) / DAY_MS)
  const daily = [days, days + 1].map(day => lockedUntil + day * DAY_MS)
  return [lockedUntil, graceUntil, ...daily.filter(at => at > graceUntil && at < watchUntil), watchUntil]
}

/** The time at which the latest check became due; null before the first. */
export function dueSince(
  attempt: Attempt,
  { askedAt }: Pick<Elsewhere, 'askedAt'>,
  now: number,
): number | null {
  const passed = [...timesOf(attempt, now), ...(askedAt === null ? [] : [askedAt])].filter(at => at <= now)
  return passed.length === 0 ? null : Math.max(...passed)
}

/**
 * True if a chain was not read since a check became due. Ignores a reading in the future: the clock was wrong
 * then.
 */
export const isUnread = ({ readAt }: ChainLook, since: number, now: number): boolean =>
  readAt === null || readAt < since || readAt > now

/**
 * When to read the other chains next; null if never again. A failing chain is retried at growing intervals.
 * Detected payments are followed until they are final.
 */
export function nextLookAt(
  attempt: Attempt,
  known: Elsewhere,
  chains: readonly string[],
  isFollowed: boolean,
  now: number,
): number | null {
  const later = timesOf(attempt, now).filter(at => at > now)
  const next = later.length === 0 ? [] : [aligned(Math.min(...later, now + DAY_MS), MINUTE_MS)]
  if (isFollowed) next.push(aligned(now + MINUTE_MS / 2, MINUTE_MS))
  const since = dueSince(attempt, known, now)
  if (since !== null && chains.some(chain => isUnread(lookAt(known, chain), since, now))) {
    next.push(now + Math.min(DAY_MS, Math.max(MINUTE_MS, now - since)))
  }
  return next.length === 0 ? null : Math.min(...next)
}

export const firstLookAt = ({ lockedUntil }: Attempt): number => aligned(lockedUntil, MINUTE_MS)
