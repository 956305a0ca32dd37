import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { databaseOf } from '../storage/index.ts'
import { type Cli, command } from './cli.ts'

export const migrate = (cli: Cli) =>
  command('migrate', 'update the database to this version of Florin; florin serve does it by itself')
    .addHelpText(
      'after',
      '\nWith SQLite, no server may be running, and a dated copy of the database is made first. With ' +
        'PostgreSQL,\nservers may run if the migrations only add to the schema. ' +
        'florin serve migrates by itself.',
    )
    .action(
      cli.answering(async () => {
        const { now } = realPlatform(makeLog('silent'))
        const migrated = await databaseOf(cli.settings()).migrate(now())
        const { migrations, copy } = migrated
        const kept = copy === null ? '' : `\nThe database from before is in ${copy}.`
        const text =
          migrations.length === 0 ? 'The database is up to date.' : `Applied ${migrations.join(', ')}.${kept}`
        return { json: migrated, text }
      }),
    )
