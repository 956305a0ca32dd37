import { Command, Help } from 'commander'
import type { Cli } from './cli.ts'

const commands: Readonly<Record<string, () => Promise<(cli: Cli) => Command>>> = {
  setup: async () => (await import('./setup.ts')).setup,
  serve: async () => (await import('./serve.ts')).serve,
  demo: async () => (await import('./demo.ts')).demo,
  merchant: async () => (await import('./merchant.ts')).merchant,
  wallet: async () => (await import('./wallet.ts')).wallet,
  key: async () => (await import('./key.ts')).key,
  customer: async () => (await import('./customer.ts')).customer,
  user: async () => (await import('./user.ts')).user,
  webhook: async () => (await import('./webhook.ts')).webhook,
  event: async () => (await import('./event.ts')).event,
  provider: async () => (await import('./provider.ts')).provider,
  order: async () => (await import('./order.ts')).order,
  refund: async () => (await import('./refund.ts')).refund,
  invoice: async () => (await import('./invoice.ts')).invoice,
  unmatched: async () => (await import('./unmatched.ts')).unmatched,
  report: async () => (await import('./report.ts')).report,
  sweep: async () => (await import('./sweep.ts')).sweep,
  notification: async () => (await import('./notification.ts')).notification,
  update: async () => (await import('./update.ts')).update,
  migrate: async () => (await import('./migrate.ts')).migrate,
  'migrate-to': async () => (await import('./migrate-to.ts')).migrateTo,
  audit: async () => (await import('./audit.ts')).audit,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  replica: async () => (await import('./replica.ts')).replica,
  doctor: async () => (await import('./doctor.ts')).doctor,
  config: async () => (await import('./config.ts')).config,
  openapi: async () => (await import('./openapi.ts')).openapi,
  listen: async () => (await import('./listen.ts')).listen,
  trigger: async () => (await import('./trigger.ts')).trigger,
  conformance: async () => (await import('./conformance.ts')).conformance,
  client: async () => (await import('./client.ts')).client,
  version: async () => (await import('./version.ts')).version,
}

/**
 * Builds the command line. If the arguments name a command, builds only that one, to start faster. Wrong
 * usage exits with 2.
 */
export async function program(cli: Cli, [name = '']: readonly string[] = []): Promise<Command> {
  const root = new Command('florin').description(
    'Self-hosted payments server for card, bank, digital wallet and crypto payments.',
  )
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined
  const loaded = await Promise.all((named ? [named] : Object.values(commands)).map(load => load()))
  for (const make of loaded) root.addCommand(make(cli))
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
