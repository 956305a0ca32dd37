import { resolve } from 'node:path'
import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { databaseFile } from '../storage/sqlite/open.ts'
import { restore as put, type Restored } from '../storage/sqlite/restore.ts'
import { type Cli, command } from './cli.ts'

const told = ({ file, database, orders, replaced, pendingMigrations }: Restored): string =>
  [
    `Restored ${orders} orders from ${file} to ${database}`,
    ...(replaced ? [`What was there is kept as ${replaced}`] : []),
    ...(pendingMigrations > 0 ? ['It is of an older Florin: the next start migrates it.'] : []),
  ].join('\n')

export const restore = (cli: Cli) =>
  command('restore', 'put a backup in the place of the database, while no server runs')
    .argument('<file>', 'what florin backup made')
    .option('--force', 'replace a database that is there; it is kept beside under a dated name')
    .addHelpText('after', '\nA backup of an older Florin is migrated when the server starts the next time.')
    .action(
      cli.answering((file: string, { force = false }: { force?: boolean }) => {
        const { now } = realPlatform(makeLog('silent'))
        const restored = put(file, resolve(databaseFile(cli.settings().dataDir)), force, now())
        return { json: restored, text: told(restored) }
      }),
    )
