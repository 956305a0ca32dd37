/** How long data that nobody needs any more is kept, in milliseconds; null forever. */
export interface Retention {
  /** idempotency keys of new orders */
  idempotency: number | null
  /** the tries of events that were delivered */
  tries: number | null
  /** orders of the public form that expired without any payment */
  abandoned: number | null
}

/** How far the deletion of old rows has come. */
export interface RetentionProgress {
  /** when it last ran, by the clock of the server */
  ranAt: number
  /** the time by which rows were too old */
  reachedAt: number
}

const DAY_MS = 24 * 3600_000

/**
 * The progress of a run at `now`. A clock that leaps ahead would delete all that is kept for a limited time:
 * the time that is reached follows at most twice as fast as the clock and by at most a day in each run, so
 * that the clock can be set right before. After a pause of the server, old rows are deleted some days later.
 */
export function advance(last: RetentionProgress | null, now: number): RetentionProgress {
  if (last === null) return { ranAt: now, reachedAt: now }
  const step = Math.min(2 * Math.max(0, now - last.ranAt), DAY_MS)
  return { ranAt: now, reachedAt: Math.min(now, last.reachedAt + step) }
}
