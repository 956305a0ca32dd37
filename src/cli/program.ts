import { Command, Help } from 'commander'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import type { Cli } from './cli.ts'
import { config } from './config.ts'
import { customer } from './customer.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { event } from './event.ts'
import { key } from './key.ts'
import { merchant } from './merchant.ts'
import { migrate } from './migrate.ts'
import { notification } from './notification.ts'
import { openapi } from './openapi.ts'
import { order } from './order.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { sweep } from './sweep.ts'
import { unmatched } from './unmatched.ts'
import { version } from './version.ts'
import { wallet } from './wallet.ts'
import { webhook } from './webhook.ts'

const commands = [
  serve,
  demo,
  merchant,
  wallet,
  key,
  customer,
  webhook,
  event,
  order,
  unmatched,
  sweep,
  notification,
  migrate,
  audit,
  backup,
  restore,
  doctor,
  config,
  openapi,
  version,
]

/** Builds the whole command line. Wrong usage exits with 2. */
export function program(cli: Cli): Command {
  const root = new Command('florin').description(
    'Self-hosted payments server for card, bank, digital wallet and crypto payments.',
  )
  for (const make of commands) root.addCommand(make(cli))
  root.hook('preAction', (_, action) => cli.loadEnvFile(action.opts<{ envFile?: string }>().envFile))
  quiet(root, cli)
  return root
}

const help = new Help()

function quiet(command: Command, cli: Cli): void {
  if (command.commands.length > 0) command.helpCommand('help [command]', 'display help for a command')
  command
    .helpOption('-h, --help', 'display help for the command')
    .configureHelp({
      optionDescription: option =>
        `${help.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`,
    })
    .exitOverride()
    .showHelpAfterError('(run with --help for usage)')
    .configureOutput({
      writeOut: text => cli.terminal.print(text.trimEnd()),
      writeErr: text => cli.terminal.complain(text.trimEnd()),
    })
  for (const child of command.commands) quiet(child, cli)
}
