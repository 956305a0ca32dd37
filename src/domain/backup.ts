import { dateAt, startOfDay } from './calendar.ts'
import type { BackupFault, ServiceFacts } from './notification-facts.ts'

/** What is known about the backups that the server makes by itself. */
export interface BackupRecord {
  /** when the newest backup was made */
  madeAt: number | null
  triedAt: number | null
  /** why the last try failed, as a sentence */
  problem: string | null
  fault: BackupFault | null
  /** when a backup was last tested: restored into a temporary folder */
  trialAt: number | null
  /** why the last trial failed, as a sentence */
  trialProblem: string | null
  trialFault: BackupFault | null
}

/** How many are kept of each kind. One backup may be of all three. */
const KEPT = { days: 7, weeks: 4, months: 6 }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Half past three at night, by the clocks of the shop. */
const QUIET_MS = 3.5 * HOUR_MS
const RETRY_MS = HOUR_MS
/** A trial restore follows the backup of the day, which is not made at the same minute each week. */
const TRIAL_MS = 7 * DAY_MS - 2 * HOUR_MS
/** Two backups in a row were not made. */
const SCHEDULED_BACKUP_OLD_MS = 2 * DAY_MS + 2 * HOUR_MS

/** Weeks start on Monday; 1970 began on a Thursday. */
const weekOf = (at: number): number => Math.floor((at / DAY_MS + 3) / 7)

function newestOfEach(times: readonly number[], count: number, periodOf: (at: number) => unknown): number[] {
  const newest = new Map<unknown, number>()
  for (const at of times) if (!newest.has(periodOf(at))) newest.set(periodOf(at), at)
  return [...newest.values()].slice(0, count)
}

/**
 * The times of the backups that are not kept: all except the newest of each of the last days, weeks and
 * months that have one, in UTC. After a pause without backups, the old ones therefore stay.
 */
export function expiredBackups(times: readonly number[]): number[] {
  const sorted = times.toSorted((a, b) => b - a)
  const kept = new Set([
    ...newestOfEach(sorted, KEPT.days, at => Math.floor(at / DAY_MS)),
    ...newestOfEach(sorted, KEPT.weeks, weekOf),
    ...newestOfEach(sorted, KEPT.months, at => new Date(at).toISOString().slice(0, 7)),
  ])
  return sorted.filter(at => !kept.has(at))
}

/** Whether a backup has to be made: once after half past three of each day of the time zone. */
export function isBackupDue({ madeAt, triedAt, problem }: BackupRecord, zone: string, now: number): boolean {
  if (problem !== null && triedAt !== null && triedAt <= now && now - triedAt < RETRY_MS) return false
  const today = startOfDay(dateAt(now, zone), zone) + QUIET_MS
  const due = today <= now ? today : startOfDay(dateAt(now - DAY_MS, zone), zone) + QUIET_MS
  return madeAt === null || madeAt < due
}

/** Whether a backup has to be tested: once a week, and each day after a test that failed. */
export const isTrialDue = ({ trialAt, trialProblem }: BackupRecord, now: number): boolean =>
  trialAt === null || trialProblem !== null || now - trialAt >= TRIAL_MS

/** What is wrong with the backups that the server makes by itself, as a sentence; null if nothing is. */
export function backupProblem({ problem, madeAt }: BackupRecord, startedAt: number, now: number) {
  if (problem !== null) return `The last backup could not be made: ${problem}`
  if (now - (madeAt ?? startedAt) < SCHEDULED_BACKUP_OLD_MS) return null
  return 'No backup was made for two days. Keep the server running, and check its log for backup.failed.'
}

/** The same for a notification. */
export function backupFacts(record: BackupRecord, startedAt: number, now: number): ServiceFacts | null {
  if (record.problem !== null) return { about: 'backup_failed', reason: record.problem, fault: record.fault }
  return backupProblem(record, startedAt, now) === null ? null : { about: 'backup_missing' }
}
