import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { SettingsError } from '../settings/read.ts'
import { type BackupResult, databaseOf } from '../storage/index.ts'
import { type Answer, type Cli, command } from './cli.ts'

interface Options {
  force?: boolean
  anyway?: boolean
  trial?: boolean
  record?: boolean
}

const damaged = (damage: string): string =>
  `\nThe copy is damaged (${damage}). florin restore refuses it. Keep it to save what can still be ` +
  'read, and restore your last good backup.'

/** Warns of the faults of a copy that was kept with --anyway; empty if it has none. */
const warningOf = ({ damage, loss }: BackupResult): string =>
  (damage === null ? '' : damaged(damage)) + (loss === null ? '' : `\n${loss} The copy has what is left.`)

/** Makes a backup like the server's nightly one. */
async function intoFolder(cli: Cli, trial: boolean): Promise<Answer> {
  const settings = cli.settings()
  if (settings.backupDir === '') {
    throw new SettingsError('Name the file to write, or set FLORIN_BACKUP_DIR to a folder for backups.')
  }
  const now = realPlatform(makeLog('silent')).now()
  const made = await databaseOf(settings).backUpInto(settings.backupDir, now, trial)
  const text = `Wrote ${made.file}. Backups in the folder: ${made.kept}.`
  if (!made.isTried) return { json: made, text }
  const outcome = made.trialProblem ?? 'Tested: the backup can be restored, and it is complete.'
  return { json: made, text: `${text}\n${outcome}`, exitCode: made.trialProblem === null ? 0 : 1 }
}

/** Records a backup made with pg_dump, which Florin cannot detect. */
async function record(cli: Cli): Promise<Answer> {
  const takenAt = formatTimestamp(await databaseOf(cli.settings()).recordBackup())
  return { json: { takenAt }, text: `Recorded that a backup was made: ${takenAt}.` }
}

export const backup = (cli: Cli) =>
  command('backup', 'write a consistent copy of the database; the server may keep running')
    .argument(
      '[file]',
      'file to write; only its owner can read it, because it contains webhook secrets. ' +
        'Without it: a new file in FLORIN_BACKUP_DIR, where old ones are removed',
    )
    .option('--force', 'overwrite the file if it exists')
    .option('--anyway', 'keep the copy even if the database is damaged or has lost writes')
    .option(
      '--trial',
      'without a file: also test whether the backup can be restored, which otherwise happens once a week',
    )
    .option(
      '--record',
      'with PostgreSQL: only record that you just made a backup, with pg_dump or another tool',
    )
    .addHelpText('after', '\nThe copy is checked before it is put in place. Sandbox data is not included.')
    .action(
      cli.answering(
        async (
          file: string | undefined,
          { force = false, anyway = false, trial = false, ...more }: Options,
        ) => {
          if (more.record) {
            if (file === undefined) return record(cli)
            throw new SettingsError('--record writes no file. Leave out the file.')
          }
          if (file === undefined) return intoFolder(cli, trial)
          if (trial)
            throw new SettingsError('--trial is for backups in FLORIN_BACKUP_DIR. Leave out the file.')
          const takenAt = formatTimestamp(realPlatform(makeLog('silent')).now())
          const made = await databaseOf(cli.settings()).backup(file, { force, anyway })
          const { pendingMigrations: _, ...result } = made
          const text = `Backed up ${result.orders} orders to ${result.file} (${result.bytes} bytes)`
          return { json: { ...result, takenAt }, text: `${text}${warningOf(made)}` }
        },
      ),
    )
