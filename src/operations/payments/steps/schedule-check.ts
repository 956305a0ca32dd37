import { chainOf } from '../../../domain/asset.ts'
import { type Attempt, isLocked } from '../../../domain/attempt.ts'
import type { Tables } from '../../../storage/port.ts'

const OPEN_PAUSE_MS = 10 * 60_000
const CONFIRMING_PAUSE_MS = 30_000
const LATE_PAUSE_MS = 3600_000
const SHORT_STEP_MS = 30_000
const OPEN_STEP_MS = 60_000
const LATE_STEP_MS = 10 * 60_000

/** The attempts of one lane have the same upstream, and are checked by one request if it can do that. */
const checkLane = (attempt: Attempt): string => `poll:${attempt.provider ?? chainOf(attempt.assetId)}`

/**
 * When an attempt is checked next; null if its watch is over and it was checked since. The times are those of
 * a common clock, so that many attempts on one chain are checked by the same few requests.
 */
export function nextCheckAt(attempt: Attempt, now: number): number | null {
  const { state, checkedAt, lockedUntil, watchUntil } = attempt
  const soon = aligned(now + CONFIRMING_PAUSE_MS / 2, CONFIRMING_PAUSE_MS)
  if (state === 'confirming') return soon
  // An unpaid attempt expires as soon as its lock is over.
  if (isLocked(attempt, now)) {
    return Math.min(
      aligned(now + OPEN_PAUSE_MS - OPEN_STEP_MS, OPEN_STEP_MS),
      aligned(lockedUntil, SHORT_STEP_MS),
    )
  }
  if (checkedAt === null || checkedAt < lockedUntil) return soon
  const late = aligned(now + LATE_PAUSE_MS - LATE_STEP_MS, LATE_STEP_MS)
  if (now < watchUntil) return Math.min(late, aligned(watchUntil, SHORT_STEP_MS))
  return checkedAt < watchUntil ? late : null
}

/** The first multiple of a step that is not before a time. */
const aligned = (time: number, stepMs: number): number => Math.ceil(time / stepMs) * stepMs

export async function scheduleCheck(tables: Tables, attempt: Attempt, now: number): Promise<void> {
  const dueAt = nextCheckAt(attempt, now)
  if (dueAt === null) await tables.jobs.remove('attempt.poll', attempt.id)
  else
    await tables.jobs.schedule({ kind: 'attempt.poll', subject: attempt.id, lane: checkLane(attempt), dueAt })
}
