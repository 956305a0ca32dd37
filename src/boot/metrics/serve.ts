import { SettingsError } from '../../settings/read.ts'
import type { Settings } from '../../settings/table.ts'
import { databaseOf } from '../../storage/index.ts'
import type { Florin } from '../compose.ts'
import { listen } from '../listen.ts'
import type { Platform } from '../platform.ts'
import { countedLog, makeMeter } from './meter.ts'
import { Registry } from './registry.ts'
import { sample } from './sample.ts'

const HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

interface MeteredServer {
  florin: Florin
  stop(): Promise<void>
}

/**
 * Listens on FLORIN_METRICS. `listen` names the settings of the main listener in its errors, so they are
 * replaced here.
 */
async function listenForMetrics(
  { host, port }: NonNullable<Settings['metrics']>,
  platform: Platform,
  answer: () => Promise<Response>,
): Promise<Bun.Server<undefined>> {
  const notFound = () =>
    new Response('Not found. Metrics are at /metrics.\n', { status: 404, headers: HEADERS })
  const options = {
    hostname: host,
    port,
    development: false,
    reusePort: false,
    fetch: async (request: Request) => (new URL(request.url).pathname === '/metrics' ? answer() : notFound()),
    error: () => new Response('The metrics could not be read.\n', { status: 500, headers: HEADERS }),
  }
  try {
    return await listen(options, platform)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const names = /FLORIN_HOST and FLORIN_PORT|FLORIN_(HOST|PORT)/g
    throw new SettingsError(error.message.replace(names, 'FLORIN_METRICS'))
  }
}

/** Starts a server, and serves its metrics on a separate listener if FLORIN_METRICS is set. */
export async function withMetrics<S extends MeteredServer>(
  settings: Settings,
  platform: Platform,
  start: (settings: Settings, platform: Platform) => Promise<S>,
): Promise<S> {
  if (settings.metrics === null) return start(settings, platform)
  const registry = new Registry()
  const database = databaseOf(settings)
  let florin: Florin | null = null
  const print = async (): Promise<string> => {
    if (florin) await sample(registry, { ...florin, ...florin.context }, database, settings)
    return registry.print()
  }
  const server = await listenForMetrics(
    settings.metrics,
    platform,
    async () => new Response(await print(), { headers: HEADERS }),
  )
  try {
    const log = countedLog(platform.log, registry)
    const running = await start(settings, { ...platform, log, meter: makeMeter(registry), metrics: print })
    florin = running.florin
    return {
      ...running,
      async stop() {
        await server.stop(true)
        await running.stop()
      },
    }
  } catch (error) {
    await server.stop(true)
    throw error
  }
}
