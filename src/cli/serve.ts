import { makeLog } from '../boot/log.ts'
import { giveBackMemory, keepMemoryLow } from '../boot/memory.ts'
import { type Platform, realPlatform } from '../boot/platform.ts'
import { type Running, startServer } from '../boot/serve.ts'
import { type Systemd, systemdOf } from '../boot/systemd.ts'
import { createFirstLink } from '../operations/people/links.ts'
import { domainUrl } from '../settings/domain-table.ts'
import { showSettings } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { commit, version } from '../version.ts'
import { type Cli, command } from './cli.ts'
import { codeLines } from './user.ts'

/** The settings that differ from their defaults, as an operator may see them. */
const changedSettings = (cli: Cli): Record<string, string> =>
  Object.fromEntries(
    showSettings(cli.environment)
      .filter(({ origin }) => origin === 'environment')
      .map(({ name, value }) => [name, value]),
  )

/** Starts the server with the machine's own network, clock and log, or replacements. */
export async function start(
  cli: Cli,
  settings: Settings,
  change: (platform: Platform) => Platform = platform => platform,
): Promise<Running> {
  const print = (line: string): void => cli.terminal.complain(line.trimEnd())
  const platform = change(realPlatform(makeLog(settings.logLevel, print)))
  const running = await startServer(settings, platform)
  const { pid } = process
  platform.log.info(
    { version, commit, pid, url: running.url, settings: changedSettings(cli) },
    'server.started',
  )
  return running
}

/** Waits for SIGTERM or SIGINT and stops cleanly. A second signal ends the process at once. */
export async function untilStopped(running: Running, systemd: Systemd): Promise<void> {
  const { log } = running.florin.context
  const stopKeeping = keepMemoryLow()
  systemd.ready()
  const signal = await new Promise<string>(resolve => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.once(name, () => {
        process.once(name, () => process.exit(1))
        resolve(name)
      })
    }
  })
  systemd.stopping()
  log.info({ signal }, 'server.stopping')
  const stoppingAt = performance.now()
  stopKeeping()
  await running.stop()
  log.info({ ms: Math.round(performance.now() - stoppingAt) }, 'server.stopped')
}

/** Time after which a start is over and the first requests were answered. */
const STARTED_MS = 1000

/** Explains how to create the first user. Empty unless a person reads the terminal. */
async function setUpNote(cli: Cli, { florin: { context } }: Running): Promise<string[]> {
  if (!cli.terminal.isInteractive) return []
  const code = await createFirstLink(context)
  return code === null ? [] : ['', ...codeLines(context, code)]
}

/** The addresses of the server: with a domain, the public one, and the one for this machine. */
const addressesOf = ({ url }: Running, settings: Settings): string => {
  const own = domainUrl(settings)
  return own === '' ? url : `${own}, and for this machine on ${url}`
}

/** Says that nobody can connect before the certificate is there. Empty once it is, or without a domain. */
function certificateNote({ florin: { certificate } }: Running): string[] {
  const state = certificate?.()
  if (!state || state.certificate !== null) return []
  const [name] = state.names
  return ['', `The certificate is being fetched. Until it is here, http://${name} says what is missing.`]
}

export const serve = (cli: Cli) =>
  command('serve', 'start the server', 'print the URLs as one JSON value when the server is ready')
    .option(
      '--domain <names>',
      'serve HTTPS for these comma-separated host names, with a certificate that Florin gets and renews; ' +
        'takes precedence over FLORIN_DOMAIN',
    )
    .action(async ({ json, domain }: { json?: boolean; domain?: string }) => {
      cli.set('FLORIN_DOMAIN', domain)
      const settings = cli.settings()
      const systemd = systemdOf(cli.environment)
      const running = await start(cli, settings, platform => ({ ...platform, environment: cli.environment }))
      const { checkoutUrl } = running.florin.context.policy
      const answer = { url: running.url, checkoutUrl, sandbox: settings.sandbox !== false }
      cli.terminal.print(
        json
          ? JSON.stringify(answer)
          : [
              `Florin is listening on ${addressesOf(running, settings)}`,
              `  API        ${running.url}/v1`,
              `  Checkout   ${checkoutUrl}/pay/…`,
              `  Dashboard  ${running.florin.context.policy.dashboardUrl}/dashboard`,
              ...certificateNote(running),
              ...(await setUpNote(cli, running)),
            ].join('\n'),
      )
      setTimeout(giveBackMemory, STARTED_MS).unref()
      await untilStopped(running, systemd)
    })
