import type { Attempt } from './attempt.ts'
import type { Json } from './metadata.ts'

/** What is known of one chain on which an attempt's address exists too, but no payment is expected. */
interface ChainLook {
  /** when it was last read; null if it never was */
  readAt: number | null
  /** when it could not be read; null if the last look could */
  failedAt: number | null
  /** where the next scan continues; null while nothing has arrived there */
  cursor: Json
}

/** What is known of the other chains of an attempt. */
export interface Elsewhere {
  attemptId: string
  /** when a buyer last said that they paid on another network; null if none did */
  askedAt: number | null
  /** by chain */
  chains: Record<string, ChainLook>
}

const neverRead: ChainLook = { readAt: null, failedAt: null, cursor: null }

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600_000
/** How often an order's buyer can ask. */
export const ASK_PAUSE_MS = MINUTE_MS

export const noLooks = (attemptId: string): Elsewhere => ({ attemptId, askedAt: null, chains: {} })

export const lookAt = ({ chains }: Pick<Elsewhere, 'chains'>, chain: string): ChainLook =>
  chains[chain] ?? neverRead

/** With what a look at one chain found. */
export const withLook = (known: Elsewhere, chain: string, change: Partial<ChainLook>): Elsewhere => ({
  ...known,
  chains: { ...known.chains, [chain]: { ...lookAt(known, chain), ...change } },
})

/** The first multiple of a step that is not before a time. */
const aligned = (time: number, stepMs: number): number => Math.ceil(time / stepMs) * stepMs

/**
 * When the other chains have to be read: at the end of the lock, of the grace and of the watch, and once a
 * day in between. A settled attempt has its money, so only the last look is made for it.
 */
function timesOf({ state, lockedUntil, graceUntil, watchUntil }: Attempt, now: number): number[] {
  if (state === 'settled') return [watchUntil]
  const days = Math.floor((now - lockedUntil) / DAY_MS)
  const daily = [days, days + 1].map(day => lockedUntil + day * DAY_MS)
  return [lockedUntil, graceUntil, ...daily.filter(at => at > graceUntil && at < watchUntil), watchUntil]
}

/** Since when a look is due: the last of its times that has passed; null before the first. */
export function dueSince(
  attempt: Attempt,
  { askedAt }: Pick<Elsewhere, 'askedAt'>,
  now: number,
): number | null {
  const passed = [...timesOf(attempt, now), ...(askedAt === null ? [] : [askedAt])].filter(at => at <= now)
  return passed.length === 0 ? null : Math.max(...passed)
}

/** Whether a chain was not read since a look became due. A look of the future was made by a wrong clock. */
export const isUnread = ({ readAt }: ChainLook, since: number, now: number): boolean =>
  readAt === null || readAt < since || readAt > now

/**
 * When the other chains of an attempt are read next; null when that is over. A chain that cannot be read is
 * tried again, less and less often. What arrived is followed until it is final.
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

/** When the first look at the other chains of a new attempt is due. */
export const firstLookAt = ({ lockedUntil }: Attempt): number => aligned(lockedUntil, MINUTE_MS)
