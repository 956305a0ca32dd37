import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { SettingsError } from '../settings/read.ts'
import { type Answer, type Cli, command } from './cli.ts'
import { flagsOf } from './setup/ask.ts'
import { type Host, hostOf } from './setup/host.ts'
import { alone } from './setup/install.ts'
import type { Answers } from './setup/plan.ts'
import { remove } from './setup/remove.ts'
import { textOf } from './setup/result.ts'
import { setUp } from './setup/set-up.ts'

interface Options extends Answers {
  yes?: boolean
  root?: string
  remove?: boolean
}

function requireRoot(host: Host, given: Answers, what: string): void {
  if (process.platform !== 'linux')
    throw new SettingsError('florin setup is for servers with Linux. Elsewhere, start florin serve.')
  if (!host.isLive || host.isRoot) return
  const line = `sudo ${host.executable ?? 'florin'} setup ${what}${flagsOf(given)}`.trim()
  throw new SettingsError(`Only root can set up a server. Run: ${line}`)
}

/**
 * Explains a disk that is full or cannot be written to, which is no fault of Florin. Returns other errors as
 * they are.
 */
function explain(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof SettingsError || code === undefined || !/^E[A-Z]+$/.test(code)) return error
  return new SettingsError(`Setup stopped: ${message}. Correct it and run this again: it completes the rest.`)
}

async function takeBack(host: Host): Promise<Answer> {
  const removed = await alone(host, () => remove(host))
  if (removed.data.length === 0 && removed.changes.length === 0)
    return { json: removed, text: 'There is nothing that florin setup wrote.' }
  const data = removed.data.map(path => `  ${path}`)
  const left = ['The data and settings are left. To delete them, remove:', ...data]
  return { json: removed, text: [...removed.changes, ...removed.kept, ...left].join('\n') }
}

export const setup = (cli: Cli) =>
  command(
    'setup',
    'install Florin as a service of this Linux server, with a daily backup; asks four questions',
  )
    .option('--domain <names>', 'serve HTTPS for these comma-separated host names; "" for none')
    .option('--email <email>', 'the email address of the first user, also for the certificate authority')
    .option('--user <name>', 'the system user that runs the server, made if it is missing (default: florin)')
    .option('--data-dir <directory>', 'the data directory (default: /var/lib/florin)')
    .option('--yes', 'ask nothing, and take the defaults for what is not named')
    .option('--root <directory>', 'write below this directory, for an image; make no user and start nothing')
    .option('--remove', 'take back what setup made; the data and the settings are left')
    .addHelpText(
      'after',
      '\nRun again, it changes only what differs. Settings that you edited are kept. It has to run as root.',
    )
    .action(
      cli.answering(async ({ yes = false, root, remove: isRemoval = false, ...options }: Options) => {
        const { domain, email, user, dataDir } = options
        const named = Object.entries({ domain, email, user, dataDir }).filter(
          ([, text]) => text !== undefined,
        )
        const given: Answers = Object.fromEntries(named)
        const host = hostOf(root === undefined ? null : resolve(root))
        requireRoot(host, given, isRemoval ? '--remove ' : '')
        try {
          if (!host.isLive) mkdirSync(host.root, { recursive: true })
          if (isRemoval) return await takeBack(host)
          const result = await alone(host, () => setUp(host, given, yes))
          const { plan, ...rest } = result
          return { json: { ...rest, ...plan }, text: textOf(result) }
        } catch (error) {
          throw explain(error)
        }
      }),
    )
