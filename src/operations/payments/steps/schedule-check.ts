import { chainOf } from '../../../domain/asset.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import type { Tables } from '../../../storage/port.ts'

const OPEN_PAUSE_MS = 10 * 60_000
const CONFIRMING_PAUSE_MS = 30_000
const LATE_PAUSE_MS = 3600_000

/** The attempts of one lane have the same upstream, and are checked by one request if it can do that. */
const checkLane = (attempt: Attempt): string => `poll:${attempt.provider ?? chainOf(attempt.assetId)}`

/** When an attempt is checked next; null if its watch is over and it was checked since. */
export function nextCheckAt(attempt: Attempt, now: number): number | null {
  const checkedAt = attempt.checkedAt ?? 0
  if (attempt.state === 'confirming') return now + CONFIRMING_PAUSE_MS
  // What holds its order open, or an attempt itself, ends as soon as its lock or its grace is over.
  for (const end of [attempt.lockedUntil, attempt.graceUntil]) {
    if (now < end) return Math.min(now + OPEN_PAUSE_MS, end)
    if (checkedAt < end) return now + CONFIRMING_PAUSE_MS
  }
  if (now < attempt.watchUntil) return Math.min(now + LATE_PAUSE_MS, attempt.watchUntil)
  return checkedAt < attempt.watchUntil ? now + LATE_PAUSE_MS : null
}

export async function scheduleCheck(tables: Tables, attempt: Attempt, now: number): Promise<void> {
  const dueAt = nextCheckAt(attempt, now)
  if (dueAt === null) await tables.jobs.remove('attempt.poll', attempt.id)
  else
    await tables.jobs.schedule({ kind: 'attempt.poll', subject: attempt.id, lane: checkLane(attempt), dueAt })
}
