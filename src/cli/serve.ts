import { makeLog } from '../boot/log.ts'
import { realPlatform } from '../boot/platform.ts'
import { type Running, startServer } from '../boot/serve.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { type Cli, command } from './cli.ts'

/** Starts the server; what is wrong with the port is said in words. */
export async function start(cli: Cli, settings: Settings): Promise<Running> {
  const log = makeLog(settings.logLevel, line => cli.terminal.complain(line.trimEnd()))
  try {
    return await startServer(settings, realPlatform(log))
  } catch (error) {
    throw listenFault(settings, (error as { code?: string }).code) ?? error
  }
}

function listenFault({ host, port }: Settings, code: string | undefined): SettingsError | null {
  if (code === 'EACCES') {
    return new SettingsError(
      `Port ${port} of ${host} may not be listened on by this user. Set FLORIN_PORT to another one.`,
    )
  }
  // A free port was asked for: it cannot be the port that is wrong.
  if (code === 'EADDRNOTAVAIL' || (code === 'EADDRINUSE' && port === 0)) {
    return new SettingsError(`${host} is no address of this machine. Set FLORIN_HOST to one that is.`)
  }
  if (code !== 'EADDRINUSE') return null
  return new SettingsError(`Port ${port} of ${host} is in use. Set FLORIN_PORT to another one.`)
}

/** Waits for the signal to stop, and stops cleanly. A second signal ends at once. */
export async function untilStopped(running: Running): Promise<void> {
  await new Promise<void>(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve()
      })
    }
  })
  await running.stop()
}

export const serve = (cli: Cli) =>
  command('serve', 'start the server').action(async ({ json }: { json?: boolean }) => {
    const settings = cli.settings()
    const running = await start(cli, settings)
    const { checkoutUrl } = running.florin.context.policy
    const answer = { url: running.url, checkoutUrl, sandbox: settings.sandbox }
    cli.terminal.print(
      json
        ? JSON.stringify(answer)
        : `Florin serves ${running.url}\n  API       ${running.url}/v1\n  checkout  ${checkoutUrl}/pay/…`,
    )
    await untilStopped(running)
  })
