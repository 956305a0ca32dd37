/**
 * Whether less than a time has passed. What lies in the future was noted while the clock was wrong: waiting
 * for it would take as long as the clock was ahead.
 */
export const isWithin = (ms: number, since: number, now: number): boolean => Math.abs(now - since) < ms
