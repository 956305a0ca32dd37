import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { backup as make } from '../storage/sqlite/backup.ts'
import { databaseFile } from '../storage/sqlite/open.ts'
import { type Cli, command } from './cli.ts'

export const backup = (cli: Cli) =>
  command('backup', 'copy the database as it is now; the server may run meanwhile')
    .argument('<file>', 'where the copy goes; it holds secrets of webhooks and is readable by you alone')
    .option('--force', 'replace the file when it is there already')
    .addHelpText(
      'after',
      '\nThe copy is checked before it gets its name. What the sandbox simulated is not in it.',
    )
    .action(
      cli.answering((file: string, { force = false }: { force?: boolean }) => {
        const takenAt = formatTimestamp(realPlatform(makeLog('silent')).now())
        const { dataDir } = cli.settings()
        const { pendingMigrations: _, ...made } = make(databaseFile(dataDir), file, force)
        const text = `Backed up ${made.orders} orders to ${made.file} (${made.bytes} bytes)`
        return { json: { ...made, takenAt }, text }
      }),
    )
