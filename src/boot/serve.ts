import { Refusal } from '../domain/errors.ts'
import type { Log } from '../domain/log.ts'
import { failureResponse } from '../http/envelope.ts'
import { refusalIn } from '../http/errors.ts'
import { pathOf, requestState } from '../http/request-state.ts'
import { checkTarget, rawPathPatterns, type Segments } from '../http/target.ts'
import { verifyChains } from '../operations/upstreams/diagnose.ts'
import type { Settings } from '../settings/table.ts'
import { type Florin, openFlorin } from './compose.ts'
import type { Https } from './https.ts'
import { listen, type ServeOptions } from './listen.ts'
import { compileAsUsual } from './memory.ts'
import { withMetrics } from './metrics/serve.ts'
import { OPEN_FILES_REMEDY, openFilesProblem, readOpenFiles } from './open-files.ts'
import { OpenRequests } from './open-requests.ts'
import type { Platform } from './platform.ts'

const STOP_MS = 10_000
const IDLE_SECONDS = 30
/**
 * Time after which a request is refused: at least a second before the idle limit, at which the connection is
 * closed without an answer.
 */
const ANSWER_MS = 28_000
/** Max size of a body: a backstop far above any route's own limit. */
const BODY_MAX = 64 * 1024 * 1024

export interface Running {
  florin: Florin
  /** address on this machine */
  url: string
  /** Lets open requests finish, releases running jobs, and closes the database. */
  stop(): Promise<void>
}

const addressable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/** Answers a request that no route could answer. */
function answerError(log: Log, thrown: unknown, method?: string): Response {
  const known = refusalIn(thrown)
  const refusal = known ?? new Refusal('internal_error')
  const requestId = Bun.randomUUIDv7()
  if (known) log.info({ requestId, method, status: refusal.status }, 'request')
  else log.error({ requestId, error: thrown instanceof Error ? thrown.stack : thrown }, 'request.failed')
  return failureResponse(refusal, requestId)
}

/** True for a health check. A server that answers nothing else has no reason to compile its functions. */
const isProbe = (url: string): boolean => /^[/](healthz|readyz)$/.test(pathOf(url))

function warnOfOpenFiles(log: Log): void {
  const files = readOpenFiles()
  const problem = files && openFilesProblem(files)
  if (problem) log.warn({ ...files, reason: `${problem} ${OPEN_FILES_REMEDY}` }, 'open_files.low')
}

type OpenHttps = typeof import('./https.ts').openHttps

/** Listens on the public ports. Without a domain, returns null and loads none of the code for HTTPS. */
async function httpsOf(settings: Settings, platform: Platform, options: ServeOptions): Promise<Https | null> {
  if (settings.domains.length === 0) return null
  const open: OpenHttps = require('./https.ts').openHttps
  return open(settings, platform, options)
}

/** Starts the server, which answers as soon as it is composed. Throws a SettingsError if it cannot listen. */
export const startServer = (settings: Settings, platform: Platform): Promise<Running> =>
  withMetrics(settings, platform, startListening)

async function startListening(settings: Settings, platform: Platform): Promise<Running> {
  let http: Florin['http'] | null = null
  let compose: (florin: Florin) => void = () => {}
  const composed = new Promise<Florin>(resolve => {
    compose = resolve
  })
  const open = new OpenRequests((error, method) => answerError(platform.log, error, method))
  let hasWork = false
  function answer(received: Request, segments: Segments, self: Bun.Server<undefined>) {
    if (!hasWork && !isProbe(received.url)) {
      hasWork = true
      compileAsUsual()
    }
    try {
      const request = checkTarget(received, segments, self.protocol === 'https' ? 'https' : 'http')
      requestState(request).peer = () => self.requestIP(received)?.address ?? null
      const answered = http ? http.fetch(request) : composed.then(florin => florin.http.fetch(request))
      return answered instanceof Response
        ? answered
        : open.wait(request, answered, platform.answerMs ?? ANSWER_MS)
    } catch (error) {
      return answerError(platform.log, error, received.method)
    }
  }
  const onPath = (request: Bun.BunRequest, self: Bun.Server<undefined>) =>
    answer(request, request.params as Record<string, string>, self)
  const options = {
    hostname: settings.host,
    port: settings.port,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_MAX,
    // Otherwise Bun answers errors with source code, and adds routes.
    development: false,
    // Otherwise two servers could listen on one port when "development" is off.
    reusePort: false,
    routes: Object.fromEntries(rawPathPatterns.map(pattern => [pattern, onPath])),
    fetch: (request: Request, self: Bun.Server<undefined>) => answer(request, null, self),
    error: (error: Error) => answerError(platform.log, error),
  }
  const server = await listen(options, platform)
  warnOfOpenFiles(platform.log)
  const url = `http://${addressable(settings.host)}:${server.port}`
  let https: Https | null = null
  try {
    https = await httpsOf(settings, platform, options)
    const florin = await openFlorin(
      settings,
      { ...platform, ...(https && { certificate: https.state }) },
      url,
    )
    await florin.startJobs()
    http = florin.http
    compose(florin)
    https?.keep()
    void verifyChains(florin.context)
    return { florin, url, stop: () => stop(florin) }
  } catch (error) {
    await Promise.all([server.stop(true), https?.stop()])
    throw error
  }

  async function stop(florin: Florin): Promise<void> {
    florin.stopWaiting()
    const stopped = Promise.all([server.stop(), https?.stop()])
    const until = performance.now() + STOP_MS
    while (open.size > 0 && performance.now() < until) await Bun.sleep(10)
    await Promise.race([stopped, Bun.sleep(100)])
    await florin.close()
  }
}
