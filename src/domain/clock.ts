/**
 * True if less than `ms` separate `since` and `now`. A `since` in the future was written while the clock was
 * wrong: waiting for it would take as long as the clock was ahead.
 */
export const isWithin = (ms: number, since: number, now: number): boolean => Math.abs(now - since) < ms
