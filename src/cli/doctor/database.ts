import { formatTimestamp } from '../../domain/timestamp.ts'
import { type Check, fault, good, warning } from './finding.ts'

const CLOCK_SLACK_MS = 2000
const OVERDUE_MS = 5 * 60_000

export const database: Check = ({ database: file, condition, rows }) => {
  const check = 'database'
  if (condition.kind === 'absent') {
    const remedy = 'Make the first merchant: florin merchant create --email E --name N'
    return [fault(check, `There is none yet at ${file}.`, remedy)]
  }
  if (condition.kind === 'damaged') {
    const remedy = 'Restore a backup: florin restore FILE --force'
    return [fault(check, `${file} is damaged or is no database (${condition.words}).`, remedy)]
  }
  if (condition.kind === 'refused') {
    return [fault(check, condition.words, 'Check FLORIN_DATA_DIR, and which version of Florin this is.')]
  }
  if (rows?.writeFault) {
    const remedy = 'Look for a full or read-only disk, and whose file it is.'
    return [fault(check, `${file} takes no writes: ${rows.writeFault}.`, remedy)]
  }
  return [good(check, 'whole')]
}

export const migrations: Check = ({ condition }) => {
  if (condition.kind !== 'whole') return []
  const check = 'migrations'
  const { pendingMigrations: pending } = condition
  if (pending === 0) return [good(check)]
  const message = `${pending} are still to be applied; the rows were not examined.`
  return [warning(check, message, 'Start this version: florin serve applies them, after a dated copy.')]
}

/** The sandbox moves its own clock forward, so that its rows are ahead of the machine's. */
export const clock: Check = ({ condition, platform, settings }) => {
  if (settings.sandbox || condition.kind !== 'whole' || condition.newestAt === null) return []
  const check = 'clock'
  const now = platform.now()
  if (now >= condition.newestAt - CLOCK_SLACK_MS) return [good(check)]
  const newest = formatTimestamp(condition.newestAt)
  const message = `It says ${formatTimestamp(now)}, but a row was written at ${newest}.`
  return [fault(check, message, "Set the machine's clock, and let it be kept by NTP.")]
}

export const jobs: Check = ({ rows, isUsed }) => {
  if (!rows) return []
  const check = 'jobs'
  if (rows.overdueMs < OVERDUE_MS) return [good(check)]
  const minutes = Math.floor(rows.overdueMs / 60_000)
  const message = `What is to happen by itself has been due for ${minutes} minutes`
  if (!isUsed) return [warning(check, `${message}, since no server runs.`, 'Start one: florin serve')]
  return [fault(check, `${message}, although a server runs.`, 'See why in its log, and start it anew.')]
}
