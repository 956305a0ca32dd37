import { type Attempt, isReclaimed } from './attempt.ts'

/** True if a payment that arrives now would be found and may pay the order. */
export const isWatched = (attempt: Attempt, now: number): boolean =>
  mayGetMore(attempt, now) && attempt.state !== 'settled'

/**
 * True for an attempt of an unpaid order to which buyers may send more, such as to an address at which all
 * that was due has arrived, while another part of the order is missing.
 */
export const mayGetMore = (attempt: Attempt, now: number): boolean =>
  !isReclaimed(attempt) &&
  now <= attempt.watchUntil &&
  (attempt.state !== 'settled' || attempt.provider === null)
