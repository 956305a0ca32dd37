import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { databaseOf } from '../storage/index.ts'
import { type Cli, command } from './cli.ts'

interface Options {
  force?: boolean
  anyway?: boolean
}

const damaged = (damage: string): string =>
  `\nThe copy is damaged (${damage}). florin restore refuses it. Keep it to save what can still be ` +
  'read, and restore your last good backup.'

export const backup = (cli: Cli) =>
  command('backup', 'write a consistent copy of the database; the server may keep running')
    .argument('<file>', 'file to write; only its owner can read it, because it contains webhook secrets')
    .option('--force', 'overwrite the file if it exists')
    .option('--anyway', 'keep the copy even if the database is damaged')
    .addHelpText('after', '\nThe copy is checked before it is put in place. Sandbox data is not included.')
    .action(
      cli.answering(async (file: string, { force = false, anyway = false }: Options) => {
        const takenAt = formatTimestamp(realPlatform(makeLog('silent')).now())
        const { pendingMigrations: _, ...result } = await databaseOf(cli.settings()).backup(file, {
          force,
          anyway,
        })
        const text = `Backed up ${result.orders} orders to ${result.file} (${result.bytes} bytes)`
        const warning = result.damage === null ? '' : damaged(result.damage)
        return { json: { ...result, takenAt }, text: `${text}${warning}` }
      }),
    )
