import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CertificateFiles } from '../certificates/files.ts'
import { CertificateKeeper } from '../certificates/keeper.ts'
import type { AcmeFetch, Certificate, CertificateState } from '../certificates/port.ts'
import { addressesOf } from '../outbound/dns.ts'
import { SettingsError } from '../settings/read.ts'
import type { Settings } from '../settings/table.ts'
import { plainAnswer } from './challenge-port.ts'
import { listen, type ServeOptions } from './listen.ts'
import type { Platform } from './platform.ts'

type Server = Bun.Server<undefined>
type Handler<R extends Request = Request> = (request: R, server: Server) => Response | Promise<Response>

/** HTTPS with certificates that the server itself gets and renews. */
export interface Https {
  state(): CertificateState
  /** Begins to fetch and renew certificates. */
  keep(): void
  /** Stops listening. Open requests may finish. */
  stop(): Promise<unknown>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LOOKUP_MS = 5000
/**
 * A listener is stopped after this time without requests, or at the latest after the limit below. Stopping
 * cuts connections whose handshake is under way; until then, both certificates are valid.
 */
const QUIET_MS = 1000
const QUIET_WAIT_MS = 10 * MINUTE_MS

const PERMISSION =
  'permission denied. Ports below 1024 need CAP_NET_BIND_SERVICE: see "HTTPS without a proxy" in the ' +
  'operations guide.'

/**
 * The address that stands for all addresses of the machine, including those of IPv6 if it has some. Linux
 * lists these in a file. The interfaces of node:os need a netlink socket, which the systemd unit forbids.
 */
function everywhere(): string {
  if (process.platform !== 'linux') return '::'
  try {
    return readFileSync('/proc/self/net/if_inet6', 'utf8') === '' ? '0.0.0.0' : '::'
  } catch {
    return '0.0.0.0'
  }
}

type Setting = 'FLORIN_HTTP_PORT' | 'FLORIN_HTTPS_PORT'

/** Listens on a public port. An error names the setting of the port. */
async function listenOn(
  setting: Setting,
  port: number,
  options: ServeOptions,
  platform: Platform,
): Promise<Server> {
  try {
    return await listen({ ...options, hostname: everywhere(), port }, platform)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const message = error.message
      .replace(/permission denied[.].*$/, PERMISSION)
      .replace(/FLORIN_HOST and FLORIN_PORT|FLORIN_(HOST|PORT)/g, setting)
    throw new SettingsError(message)
  }
}

function trusting({ acmeCaFile }: Settings, { fetch }: Platform): AcmeFetch {
  if (acmeCaFile === '') return fetch
  try {
    const tls = { ca: readFileSync(acmeCaFile, 'utf8') }
    return (url, init) => fetch(url, { ...init, tls } as RequestInit)
  } catch (error) {
    throw new SettingsError(`Cannot read FLORIN_ACME_CA_FILE (${(error as Error).message}).`)
  }
}

/**
 * The public URL of each name. The URL of the settings may have no port, because a router forwards the usual
 * one.
 */
function publicUrlsOf({ domains, httpsPort, checkoutUrl }: Settings): Map<string, string> {
  const known = new URL(checkoutUrl)
  return new Map(
    domains.map(name => [
      name,
      name === known.hostname && known.protocol === 'https:'
        ? known.origin
        : new URL(`https://${name}:${httpsPort}`).origin,
    ]),
  )
}

/**
 * The listeners of HTTPS. Bun cannot change the certificate of a listener, so each certificate has its own.
 */
class Listeners {
  readonly #settings: Settings
  readonly #platform: Platform
  readonly #options: ServeOptions
  readonly #open = new Set<Server>()
  #current: Server | null = null
  #certificate: Certificate | null = null
  #requestAt = 0

  constructor(settings: Settings, platform: Platform, options: ServeOptions) {
    this.#settings = settings
    this.#platform = platform
    const { routes = {} } = options
    this.#options = {
      ...options,
      routes: Object.fromEntries(
        Object.entries(routes).map(([path, handler]) => [path, this.#over(handler)]),
      ),
      fetch: this.#over(options.fetch),
    }
  }

  #over<R extends Request>(handler: Handler<R>): Handler<R> {
    return async (request, server) => {
      this.#requestAt = performance.now()
      const response = await handler(request, server)
      if (server !== this.#current) response.headers.set('connection', 'close')
      return response
    }
  }

  /**
   * Refuses a port on which another process listens. The listeners share their port, so the system alone
   * would let a second server share it too.
   */
  async check(): Promise<void> {
    const fetch = () => new Response()
    const server = await this.#listen({ ...this.#options, routes: {}, fetch, reusePort: false })
    await server.stop(true)
  }

  #listen(options: ServeOptions): Promise<Server> {
    return listenOn('FLORIN_HTTPS_PORT', this.#settings.httpsPort, options, this.#platform)
  }

  /**
   * Serves this certificate from now on. Requests over connections with the former one are still answered.
   */
  async serve(certificate: Certificate): Promise<void> {
    if (certificate === this.#certificate) return
    const tls = { key: certificate.key, cert: certificate.chain }
    const server = await this.#listen({ ...this.#options, reusePort: true, tls })
    const former = this.#current
    this.#open.add(server)
    this.#current = server
    this.#certificate = certificate
    if (former) void this.#retire(former)
  }

  async #retire(server: Server): Promise<void> {
    const until = performance.now() + QUIET_WAIT_MS
    const isBusy = () => performance.now() - this.#requestAt < QUIET_MS
    while (this.#open.has(server) && isBusy() && performance.now() < until) await Bun.sleep(50)
    await server.stop()
    this.#open.delete(server)
  }

  async stop(): Promise<void> {
    const stopped = [...this.#open].map(server => server.stop())
    this.#open.clear()
    await Promise.all(stopped)
  }
}

/**
 * Listens on the ports of HTTP and, as soon as there is a certificate, of HTTPS. `options` are those of the
 * listener for this machine. Throws a SettingsError if a port cannot be used.
 */
export async function openHttps(
  settings: Settings,
  platform: Platform,
  options: ServeOptions,
): Promise<Https> {
  const { log, now } = platform
  const ending = new AbortController()
  const { signal } = ending
  const fetch = trusting(settings, platform)
  const keeper = new CertificateKeeper({
    names: settings.domains,
    directoryUrl: settings.acmeUrl,
    email: settings.acmeEmail,
    files: new CertificateFiles(settings.dataDir, settings.acmeUrl),
    fetch,
    lookup: name => addressesOf(name, platform.lookup, AbortSignal.timeout(LOOKUP_MS)),
    now,
    sleep: ms => sleep(ms, null, { signal }),
    random: () => (platform.random(1)[0] ?? 0) / 255,
    log,
    stopping: signal,
  })
  const listeners = new Listeners(settings, platform, options)
  await listeners.check()
  const answer = plainAnswer(keeper, publicUrlsOf(settings))
  const plainOptions = { ...options, routes: {}, reusePort: false, fetch: answer }
  const plain = await listenOn('FLORIN_HTTP_PORT', settings.httpPort, plainOptions, platform)

  /** Serves the newest certificate. Returns false if the port cannot be used now. */
  async function serveNewest(): Promise<boolean> {
    const { certificate } = keeper
    try {
      if (certificate) await listeners.serve(certificate)
      return true
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'https.unavailable')
      return false
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const dueAt = await keeper.look()
      const wait = (await serveNewest()) ? Math.max(dueAt - now(), 1000) : MINUTE_MS
      await sleep(Math.min(wait, HOUR_MS), null, { signal, ref: false }).catch(() => {})
    }
  }

  let running: Promise<void> = Promise.resolve()
  await serveNewest()
  return {
    state: () => keeper.state(),
    keep() {
      running = run()
    },
    async stop() {
      ending.abort()
      await Promise.all([plain.stop(true), listeners.stop(), running])
    },
  }
}
