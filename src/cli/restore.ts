import { createInterface } from 'node:readline/promises'
import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { restoreReplica } from '../boot/replica.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { SettingsError } from '../settings/read.ts'
import { databaseOf, type RestoreResult } from '../storage/index.ts'
import { type Answer, type Cli, command } from './cli.ts'

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
            'For 30 days, the server looks for payments to the skipped addresses, but not on Monero or ' +
            'with Bitcoin Core: list them with florin wallet skipped, and look in these wallets.',
        ]
      : []),
  ].join('\n')

interface Options {
  force?: boolean
  moved?: boolean
  from?: string
  at?: string
  yes?: boolean
}

const momentOf = (text: string): number => {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.]\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(at)) throw new SettingsError('--at must be a time such as 2026-03-01T10:00:00Z.')
  return at
}

/** Shows the age of the newest copy in a store, and asks a person at a terminal. Throws if they refuse it. */
async function acceptOld(restored: number, writtenAt: number): Promise<void> {
  const shown =
    `The newest copy there is the database of ${formatTimestamp(restored)}; a server last wrote there at ` +
    `${formatTimestamp(writtenAt)}. If a server has been running since then, newer copies exist that the ` +
    'store does not show: do not restore now, and check the store first.'
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new SettingsError(`${shown} Nothing was restored. To restore it, run this again with --yes.`)
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${shown}\n\nRestore it? [y/N] `)
    if (!/^y(es)?$/i.test(answer.trim())) throw new SettingsError('Cancelled; nothing was restored.')
  } finally {
    terminal.close()
  }
}

async function fromStore(cli: Cli, from: string, { at, force = false, yes }: Options): Promise<Answer> {
  const until = at === undefined ? Number.POSITIVE_INFINITY : momentOf(at)
  const settings = cli.settings()
  const platform = realPlatform(makeLog('silent'))
  const accept = yes ? async () => {} : acceptOld
  const options = { from, at: until, force, accept }
  const restored = await restoreReplica(settings, platform, databaseOf(settings), options)
  const moment = formatTimestamp(restored.at)
  const lines = [
    textOf(restored),
    `It is the database of ${moment}.`,
    ...(restored.skipped === null
      ? []
      : [`A copy was not used because ${restored.skipped}; an older one was.`]),
    'To go on storing copies there, run florin replica adopt if the other server is gone.',
  ]
  return { json: { ...restored, at: moment }, text: lines.join('\n') }
}

export const restore = (cli: Cli) =>
  command('restore', 'replace the database with a backup; stop the server first')
    .argument('[file]', 'file made by florin backup')
    .option('--force', 'replace an existing database; a dated copy of it is kept')
    .option(
      '--moved',
      'skip no addresses: the server was stopped before the backup was made, and was not started since',
    )
    .option(
      '--from <url>',
      'restore from the copies in a store instead of a file; a URL as in FLORIN_REPLICA_URL',
    )
    .option(
      '--at <time>',
      'with --from: restore the database as it was at this time, such as 2026-03-01T10:00:00Z',
    )
    .option('--yes', 'with --from: restore without asking, also if the newest copy is over an hour old')
    .addHelpText('after', '\nA backup from an older version is migrated at the next start.')
    .action(
      cli.answering(async (file: string | undefined, options: Options) => {
        const { force = false, moved: isMoved = false, from, at } = options
        if ((file === undefined) === (from === undefined)) {
          throw new SettingsError('Name either a file made by florin backup, or a store with --from.')
        }
        if (from !== undefined && isMoved)
          throw new SettingsError('--moved needs a file made by florin backup.')
        if (from !== undefined) return fromStore(cli, from, options)
        if (at !== undefined) throw new SettingsError('--at needs --from: a backup is of one moment.')
        const { now } = realPlatform(makeLog('silent'))
        const restored = await databaseOf(cli.settings()).restore(file!, { force, isMoved }, now())
        return { json: restored, text: textOf(restored) }
      }),
    )
