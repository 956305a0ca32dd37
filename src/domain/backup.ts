import { dateAt, startOfDay } from './calendar.ts'
import type { BackupFault, ServiceFacts } from './notification-facts.ts'

/** State of the automatic backups. */
export interface BackupRecord {
  madeAt: number | null
  triedAt: number | null
  /** reason why the last backup failed, as a sentence */
  problem: string | null
  fault: BackupFault | null
  /** when a backup was last restored into a temporary folder, as a test */
  trialAt: number | null
  /** reason why the last trial restore failed, as a sentence */
  trialProblem: string | null
  trialFault: BackupFault | null
}

/** Backups to keep per period. One file can be the newest of its day, week and month. */
const KEPT = { days: 7, weeks: 4, months: 6 }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Backups are made at 03:30 in the shop's time zone. */
const QUIET_MS = 3.5 * HOUR_MS
const RETRY_MS = HOUR_MS
/**
 * Time between two trial restores. It is less than a week, because a trial follows the daily backup, which is
 * not made at the same minute each day.
 */
const TRIAL_MS = 7 * DAY_MS - 2 * HOUR_MS
/** If the last backup is older than this, two daily backups in a row are missing. */
const SCHEDULED_BACKUP_OLD_MS = 2 * DAY_MS + 2 * HOUR_MS

/** Returns the number of a time's week. Weeks start on Monday, and 1970-01-01 was a Thursday. */
const weekOf = (at: number): number => Math.floor((at / DAY_MS + 3) / 7)

function newestOfEach(times: readonly number[], count: number, periodOf: (at: number) => unknown): number[] {
  const newest = new Map<unknown, number>()
  for (const at of times) if (!newest.has(periodOf(at))) newest.set(periodOf(at), at)
  return [...newest.values()].slice(0, count)
}

/**
 * The times of the backups to delete: all except the newest of each of the last days, weeks and months (UTC)
 * that have one. Old backups therefore outlive a pause without new ones.
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

/** True once a day, after 03:30 in the time zone, until a backup is made. */
export function isBackupDue({ madeAt, triedAt, problem }: BackupRecord, zone: string, now: number): boolean {
  if (problem !== null && triedAt !== null && triedAt <= now && now - triedAt < RETRY_MS) return false
  const today = startOfDay(dateAt(now, zone), zone) + QUIET_MS
  const due = today <= now ? today : startOfDay(dateAt(now - DAY_MS, zone), zone) + QUIET_MS
  return madeAt === null || madeAt < due
}

/**
 * True if the last trial restore failed, was a week ago, or was never made. A trial follows the daily backup.
 * A trial at a later time than `now` was made while the clock was ahead.
 */
export const isTrialDue = ({ trialAt, trialProblem }: BackupRecord, now: number): boolean =>
  trialAt === null || trialProblem !== null || trialAt > now || now - trialAt >= TRIAL_MS

/** Describes what is wrong with the automatic backups, as a sentence; null if nothing is. */
export function backupProblem({ problem, madeAt }: BackupRecord, startedAt: number, now: number) {
  if (problem !== null) return `The last backup could not be made: ${problem}`
  if (now - (madeAt ?? startedAt) < SCHEDULED_BACKUP_OLD_MS) return null
  return 'No backup was made for two days. Keep the server running, and check its log for backup.failed.'
}

/**
 * The facts of a notification about the problem that `backupProblem` describes; null if there is no problem.
 */
export function backupFacts(record: BackupRecord, startedAt: number, now: number): ServiceFacts | null {
  if (record.problem !== null) return { about: 'backup_failed', reason: record.problem, fault: record.fault }
  return backupProblem(record, startedAt, now) === null ? null : { about: 'backup_missing' }
}
