import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { adoptReplica, newKeyText, tryReplica } from '../boot/replica.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { SettingsError } from '../settings/read.ts'
import { type Cli, command } from './cli.ts'

const makeKey = (cli: Cli) =>
  command('key', 'write a new key to a file that only its owner can read')
    .argument('<file>', 'file to write; set FLORIN_REPLICA_KEY_FILE to its path')
    .addHelpText(
      'after',
      '\nWithout this file, nobody can restore the copies. Keep a second copy of it in another place.',
    )
    .action(
      cli.answering((file: string) => {
        try {
          writeFileSync(file, newKeyText(), { mode: 0o600, flag: 'wx' })
        } catch (error) {
          const reason = (error as Error).message
          throw new SettingsError(
            `Cannot write the key (${reason}). Choose a new file in a folder that exists.`,
          )
        }
        const text =
          `Wrote a new key to ${file}. Without it, nobody can restore the copies. Keep a second copy of it ` +
          'in another place, such as a password manager.'
        return { json: { file }, text }
      }),
    )

const adopt = (cli: Cli) =>
  command('adopt', 'after a restore on a new server: let this server write to the copies of the old one')
    .addHelpText('after', '\nMake sure that the old server is off for good. Then restart this one.')
    .action(
      cli.answering(async () => {
        const store = await adoptReplica(cli.settings(), realPlatform(makeLog('silent')))
        return { json: { store }, text: `From its next start, this installation writes to ${store}.` }
      }),
    )

const trial = (cli: Cli) =>
  command(
    'trial',
    'test the copies by restoring them into a temporary folder, as the server does once a week',
  )
    .addHelpText('after', '\nNeeds as much free space in FLORIN_DATA_DIR as the database takes.')
    .action(
      cli.answering(async () => {
        const made = await tryReplica(cli.settings(), realPlatform(makeLog('silent')))
        const { problem, restored } = made
        if (problem !== null) return { json: made, text: problem, exitCode: 1 }
        const moment = formatTimestamp(restored ?? made.at)
        return { json: made, text: `Test restore succeeded: the database of ${moment} is complete.` }
      }),
    )

export const replica = (cli: Cli) =>
  new Command('replica')
    .description('manage the encrypted copies of the database in FLORIN_REPLICA_URL')
    .addCommand(makeKey(cli))
    .addCommand(adopt(cli))
    .addCommand(trial(cli))
