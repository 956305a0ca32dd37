import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { databaseOf } from '../storage/index.ts'
import { type Cli, command } from './cli.ts'

export const migrate = (cli: Cli) =>
  command('migrate', 'apply pending migrations to the database; no server may be running')
    .addHelpText('after', '\nA dated copy of the database is made first. florin serve migrates by itself.')
    .action(
      cli.answering(async () => {
        const { now } = realPlatform(makeLog('silent'))
        const migrated = await databaseOf(cli.settings()).migrate(now())
        const { migrations, copy } = migrated
        const text =
          migrations.length === 0
            ? 'The database is up to date.'
            : `Applied ${migrations.join(', ')}.\nThe database from before is in ${copy ?? 'no copy'}.`
        return { json: migrated, text }
      }),
    )
