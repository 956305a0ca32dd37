import { isWithin } from './clock.ts'

/** A chain that could not be read when it was last looked at, or until it was read again. */
export interface BlindChain {
  chain: string
  /** the first and the last of the looks that have failed in a row, and how many they are */
  since: number
  failedAt: number
  failures: number
  /** when a look succeeded again; null while none has */
  readAt: number | null
  /** the merchants who were notified that the chain cannot be read */
  notified: string[]
}

/** After this many failed looks in a row, a chain cannot be read. */
export const BLIND_FAILURES = 2
/** Failed looks are repeated every minute. If none was for longer, nothing is known about the chain. */
const KNOWN_MS = 3 * 60_000
/** A chain that cannot be read for longer does not hold a price for longer. */
export const BLIND_MAX_MS = 24 * 3600_000
/** A merchant need not know of a hiccup that nobody has to act on. */
const NOTIFY_AFTER_MS = 10 * 60_000
/** Open pages look every few seconds, and not every failure is worth a write. */
const NOTE_EVERY_MS = 30_000

/** Whether a chain cannot be read now, as far as is known. */
export const isBlind = ({ readAt, failures, failedAt }: BlindChain, now: number): boolean =>
  readAt === null && failures >= BLIND_FAILURES && isWithin(KNOWN_MS, failedAt, now)

/** Whether the outcome of a look says more than what is known. */
export function isNews(known: BlindChain | null, hasFailed: boolean, now: number): boolean {
  const isFailing = known !== null && known.readAt === null
  if (!hasFailed) return isFailing
  return !isFailing || known.failures < BLIND_FAILURES || !isWithin(NOTE_EVERY_MS, known.failedAt, now)
}

/** What is known after one more failed look. */
export function failedAgain(known: BlindChain | null, chain: string, now: number): BlindChain {
  if (known === null || known.readAt !== null)
    return { chain, since: now, failedAt: now, failures: 1, readAt: null, notified: [] }
  // Nobody looked for a while, so that the chain may have been readable. Those who were notified still wait.
  const isSameTime = isWithin(NOTIFY_AFTER_MS, known.failedAt, now)
  return {
    ...known,
    since: isSameTime ? Math.min(known.since, now) : now,
    failedAt: now,
    failures: isSameTime ? known.failures + 1 : 1,
  }
}

/** Whether merchants should know that a chain cannot be read. */
export const isWorthNotice = ({ since, failures }: BlindChain, now: number): boolean =>
  failures >= BLIND_FAILURES && now - since >= NOTIFY_AFTER_MS
