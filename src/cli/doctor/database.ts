import { diagnoseReplica } from '../../boot/replica.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { type Check, fault, good, warning } from './finding.ts'

const CLOCK_SLACK_MS = 2000
/** Clocks that differ by more get a warning. NTP keeps clocks much closer than this. */
const CLOCK_WARN_MS = 1000
const CLOCK_REFUSED_MS = 5000
const OVERDUE_MS = 5 * 60_000

export const database: Check = ({ database: file, condition, rows, isFile }) => {
  const check = 'database'
  if (condition.kind === 'absent') {
    const remedy = 'Create the first merchant: florin merchant create --email EMAIL --name NAME'
    return [fault(check, `No database at ${file} yet.`, remedy)]
  }
  if (condition.kind === 'damaged') {
    const remedy = 'Restore a backup: florin restore FILE --force'
    return [fault(check, `${file} is damaged or not a database (${condition.reason}).`, remedy)]
  }
  if (condition.kind === 'refused') {
    const remedy = condition.remedy ?? 'Check FLORIN_DATA_DIR and the version of Florin.'
    return [fault(check, condition.reason, remedy)]
  }
  if (rows?.writeFault) {
    const remedy = isFile
      ? 'Check for a full or read-only disk, and check who owns the file.'
      : 'Payments cannot be recorded until the database takes writes again.'
    return [fault(check, `Cannot write to ${file}: ${rows.writeFault.replace(/[.]$/, '')}.`, remedy)]
  }
  return [good(check, 'no damage found')]
}

export const migrations: Check = ({ condition, isFile }) => {
  if (condition.kind !== 'whole') return []
  const check = 'migrations'
  const { pendingMigrations: pending, newerMigrations: newer } = condition
  if (newer.length > 0) {
    const names = newer.join(', ')
    return [good(check, `a newer version added ${names}; this version can keep using the database`)]
  }
  if (pending === 0) return [good(check)]
  const what = pending === 1 ? 'A migration is' : `${pending} migrations are`
  const message = `${what} pending, so the data was not checked.`
  return [
    warning(
      check,
      message,
      isFile
        ? 'Stop the server, then run florin migrate or start florin serve: both make a dated copy first.'
        : 'Make a backup, then run florin migrate or start florin serve.',
    ),
  ]
}

/** Checks that the database is of the mode of the settings: otherwise a server refuses to start. */
export const mode: Check = ({ condition, settings }) => {
  if (condition.kind !== 'whole' || condition.mode === null) return []
  const check = 'sandbox'
  const isSandbox = condition.mode === 'sandbox'
  if (isSandbox === (settings.sandbox !== false)) return [good(check, isSandbox ? 'on' : 'off')]
  return isSandbox
    ? [
        fault(
          check,
          'This is a database of the sandbox, but FLORIN_SANDBOX is not set.',
          otherDirectory('true'),
        ),
      ]
    : [
        fault(
          check,
          'This is a database with real payments, but FLORIN_SANDBOX is set.',
          otherDirectory('false'),
        ),
      ]
}

const otherDirectory = (value: string): string =>
  `Set FLORIN_SANDBOX=${value}, or FLORIN_DATA_DIR to another directory. No server can start until then.`

/**
 * Checks that no record is newer than the system clock. The sandbox moves its own clock, so it is left out.
 */
export const clock: Check = ({ condition, platform, settings }) => {
  if (settings.sandbox || condition.kind !== 'whole' || condition.newestAt === null) return []
  const check = 'clock'
  const now = platform.now()
  if (now >= condition.newestAt - CLOCK_SLACK_MS) return [good(check)]
  const newest = formatTimestamp(condition.newestAt)
  const message = `The system clock says ${formatTimestamp(now)}, but the newest record is from ${newest}.`
  return [fault(check, message, 'Set the system clock and keep it in sync with NTP.')]
}

/** Checks the clock of the database. By it, servers that share the database take over each other's jobs. */
export const databaseClock: Check = ({ condition }) => {
  if (condition.kind !== 'whole' || condition.clockAhead === null) return []
  const check = 'clock of the database'
  const ms = Math.abs(condition.clockAhead)
  if (ms <= CLOCK_WARN_MS) return [good(check)]
  const seconds = `${formatSeconds(ms)} ${condition.clockAhead > 0 ? 'ahead of' : 'behind'} this machine's`
  const report = ms > CLOCK_REFUSED_MS ? fault : warning
  const remedy =
    'Keep both in sync with NTP. At more than 5 seconds, servers refuse to start and are not ready.'
  return [report(check, `The clock of the database is ${seconds}.`, remedy)]
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} seconds`

export const jobs: Check = ({ rows, isUsed }) => {
  if (!rows) return []
  const check = 'jobs'
  if (rows.overdueMs < OVERDUE_MS) return [good(check)]
  const minutes = Math.floor(rows.overdueMs / 60_000)
  const message = `Background tasks have been overdue for ${minutes} min`
  if (!isUsed)
    return [warning(check, `${message} because no server is running.`, 'Start the server: florin serve')]
  return [
    fault(check, `${message} although a server is running.`, 'Check its log for the cause, then restart it.'),
  ]
}

export const replica: Check = async ({ settings, platform, isUsed }) => {
  if (settings.replicaUrl === null) return []
  const check = 'replica'
  const remedy = 'Check the log for replica.failed, and the settings FLORIN_REPLICA_….'
  try {
    const { problem, message, ...found } = await diagnoseReplica(settings, platform, isUsed)
    return [problem === null ? good(check, message) : fault(check, problem, found.remedy ?? remedy)]
  } catch (error) {
    return [fault(check, error instanceof Error ? error.message : String(error), remedy)]
  }
}
