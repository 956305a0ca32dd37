import { requestState } from '../http/request-state.ts'
import { verifyChains } from '../operations/upstreams/verify-chains.ts'
import type { Settings } from '../settings/table.ts'
import { type Florin, openFlorin } from './compose.ts'
import { listen } from './listen.ts'
import type { Platform } from './platform.ts'

const STOP_MS = 10_000
const IDLE_SECONDS = 30
/** A backstop far above what any route takes; the routes say their own limits. */
const BODY_MAX = 64 * 1024 * 1024

export interface Running {
  florin: Florin
  /** where it is reached from this machine */
  url: string
  /** Lets open requests finish, gives back what is running, and closes the database. */
  stop(): Promise<void>
}

const addressable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Starts the server; it answers as soon as it is composed. Throws a SettingsError where it cannot listen. */
export async function startServer(settings: Settings, platform: Platform): Promise<Running> {
  let compose: (florin: Florin) => void = () => {}
  const composed = new Promise<Florin>(resolve => {
    compose = resolve
  })
  let open = 0
  const options = {
    hostname: settings.host,
    port: settings.port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_MAX,
    async fetch(request: Request, self: Bun.Server<undefined>) {
      requestState(request).peer = self.requestIP(request)?.address ?? null
      open++
      try {
        return await (await composed).http.fetch(request)
      } finally {
        open--
      }
    },
  }
  const server = await listen(options, platform)
  const url = `http://${addressable(settings.host)}:${server.port}`
  try {
    const florin = openFlorin(settings, platform, url)
    await florin.startJobs()
    compose(florin)
    void verifyChains(florin.context)
    return { florin, url, stop: () => stop(florin) }
  } catch (error) {
    await server.stop(true)
    throw error
  }

  async function stop(florin: Florin): Promise<void> {
    const stopped = server.stop()
    const until = performance.now() + STOP_MS
    while (open > 0 && performance.now() < until) await Bun.sleep(10)
    await Promise.race([stopped, Bun.sleep(100)])
    await florin.close()
  }
}
