import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { databaseOf, type RestoreResult } from '../storage/index.ts'
import { type Cli, command } from './cli.ts'

const textOf = ({
  file,
  database,
  orders,
  replaced,
  pendingMigrations,
  skippedSources,
}: RestoreResult): string =>
  [
    `Restored ${orders} orders from ${file} to ${database}`,
    ...(replaced ? [`The previous database is kept as ${replaced}`] : []),
    ...(pendingMigrations > 0
      ? ['The backup is from an older version of Florin. The next start migrates it.']
      : []),
    ...(skippedSources > 0
      ? [
          'Accounts and view keys skip 1,000 addresses: buyers may have received some of them after the ' +
            'backup. Raise the gap limit of these wallets (in Monero: the subaddress lookahead) by 1,000. ' +
            'Florin does not look for payments to the skipped addresses. List them with florin wallet ' +
            'skipped, and look for payments in these wallets.',
        ]
      : []),
  ].join('\n')

export const restore = (cli: Cli) =>
  command('restore', 'replace the database with a backup; stop the server first')
    .argument('<file>', 'file made by florin backup')
    .option('--force', 'replace an existing database; a dated copy of it is kept')
    .addHelpText('after', '\nA backup from an older version is migrated at the next start.')
    .action(
      cli.answering(async (file: string, { force = false }: { force?: boolean }) => {
        const { now } = realPlatform(makeLog('silent'))
        const restored = await databaseOf(cli.settings()).restore(file, force, now())
        return { json: restored, text: textOf(restored) }
      }),
    )
