/**
 * True if less than `ms` separate `since` and `now`. A `since` in the future was written while the clock was
 * wrong: waiting for it would take as long as the clock was ahead.
 */
export const isWithin = (ms: number, since: number, now: number): boolean => Math.abs(now - since) < ms

/** A correction of a wrong clock is rarely larger than this. */
export const CLOCK_STEP_MS = 30 * 60_000

/**
 * The longest time that can have passed between `since` and `now`: the clock may have been set back between
 * the two, or may have been ahead at `since`.
 */
export const longestTimeSince = (since: number, now: number): number =>
  Math.max(0, now - since) + CLOCK_STEP_MS
