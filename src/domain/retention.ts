/** Retention of data that is no longer needed, in milliseconds; null for forever. */
export interface Retention {
  /** idempotency keys of new orders */
  idempotency: number | null
  /** delivery tries of delivered events */
  tries: number | null
  /** expired orders of the public form that nobody paid */
  abandoned: number | null
  /** test orders, in any state */
  tests: number | null
}

/** Progress of deleting old rows. */
export interface RetentionProgress {
  /** time of the last run, by the server's clock */
  ranAt: number
  /** rows older than this were deleted */
  reachedAt: number
}

const DAY_MS = 24 * 3600_000

/**
 * The progress of a run at `now`. If the clock leaps ahead, deleting by it would destroy everything with
 * limited retention. So `reachedAt` moves at most twice as fast as the clock, and at most a day per run,
 * which leaves time to set the clock right. After a pause of the server, old rows are deleted some days
 * later.
 */
export function advance(last: RetentionProgress | null, now: number): RetentionProgress {
  if (last === null) return { ranAt: now, reachedAt: now }
  const step = Math.min(2 * Math.max(0, now - last.ranAt), DAY_MS)
  return { ranAt: now, reachedAt: Math.min(now, last.reachedAt + step) }
}
