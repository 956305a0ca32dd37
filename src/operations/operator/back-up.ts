import { Refusal } from '../../domain/errors.ts'
import type { BackupFile } from '../../domain/upkeep.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import type { MailContext } from '../people/steps/mail-person.ts'
import { notifyOperators } from './steps/notify-operators.ts'
import { recordServer } from './steps/record-server.ts'

type BackupContext = AuditContext & Pick<Context, 'storage' | 'upkeep'>

const noFolder = (): Refusal =>
  new Refusal('conflict', 'This server makes no backups. Set FLORIN_BACKUP_DIR.', {
    reason: { kind: 'no_backups' },
  })

/**
 * Starts a backup on the server, in the background. With `isTrial`, also restores it as a test.
 * Does nothing if a backup is already being made.
 */
export async function requestBackup(context: BackupContext, isTrial: boolean): Promise<void> {
  const { automatic } = await context.upkeep.backups()
  if (automatic === null) throw noFolder()
  if (automatic.job.since !== null) return
  await context.storage.write(tables =>
    recordServer(context, tables, { action: 'backup.requested', before: null, after: { trial: isTrial } }),
  )
  context.upkeep.startBackup(isTrial)
}

/** Starts a test restore of the server's replica, in the background. */
export async function requestReplicaTrial(context: BackupContext): Promise<void> {
  const { replica } = await context.upkeep.backups()
  if (replica === null) throw noFolder()
  if (replica.job.since !== null) return
  await context.storage.write(tables =>
    recordServer(context, tables, { action: 'replica.tried', before: null, after: { trial: true } }),
  )
  context.upkeep.startReplicaTrial()
}

/** Records that an operator made a backup by other means, so that the server sends no reminder. */
export async function recordOwnBackup(context: BackupContext): Promise<void> {
  const { isFile } = await context.upkeep.backups()
  if (isFile) throw noFolder()
  await context.upkeep.recordBackup()
  await context.storage.write(tables =>
    recordServer(context, tables, { action: 'backup.recorded', before: null, after: { recorded: true } }),
  )
}

/**
 * Returns the newest backup for a download. It contains the data of all shops, so the other operators are
 * notified.
 */
export async function takeNewestBackup(
  context: BackupContext & MailContext & Pick<Context, 'realClock'>,
): Promise<BackupFile> {
  const { automatic } = await context.upkeep.backups()
  const files = automatic?.files ?? []
  // A backup with a later time was made while the clock was ahead, so it may be older.
  const newest = files.find(({ at }) => at <= context.realClock()) ?? files[0]
  if (!newest) throw noFolder()
  const file = newest.file.replace(/^.*[\\/]/, '')
  await context.storage.write(tables =>
    recordServer(context, tables, { action: 'backup.downloaded', before: null, after: { file } }),
  )
  await notifyOperators(context, 'backupDownloaded')
  return newest
}
