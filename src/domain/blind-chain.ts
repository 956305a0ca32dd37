import { isWithin } from './clock.ts'

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

/** A chain is blind after this many failed checks in a row. */
export const BLIND_FAILURES = 2
/**
 * Failed checks are repeated every minute. If the last one is older than this, the state of the chain is
 * unknown.
 */
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

/** True if the outcome of a check changes what is stored about the chain. */
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
