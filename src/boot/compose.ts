import { makeLooks } from '../coins/look.ts'
import { endpointChoices } from '../coins/public-endpoints.ts'
import { registry } from '../coins/registry.ts'
import type { Log } from '../domain/log.ts'
import type { HomeExtras } from '../http/pages/home.ts'
import { makeRateLimits } from '../http/rate-limit.ts'
import { httpApp } from '../http/routes.ts'
import { imageReader } from '../images/reader.ts'
import { type JobLoop, startJobs } from '../jobs/loop.ts'
import type { Context } from '../operations/context.ts'
import { allowForcedRefresh, scheduleRefreshes } from '../operations/upstreams/refresh.ts'
import { passkeyChecks } from '../passkeys/checks.ts'
import { rateSources } from '../settings/rate-sources.ts'
import type { Settings } from '../settings/table.ts'
import { type DatabaseUse, databaseOf, type SlowWork } from '../storage/index.ts'
import type { Storage } from '../storage/port.ts'
import { startBackups } from './backups.ts'
import { channelsOf } from './channels.ts'
import { domainLog } from './domain-log.ts'
import { lettersOf } from './letters.ts'
import { networksOf } from './networks.ts'
import { outboundOf, outsideStorage } from './outside-storage.ts'
import { makePasswords } from './passwords.ts'
import { type Clock, makeClock, type Platform } from './platform.ts'
import { type ProviderFactory, providersOf } from './providers.ts'
import { ratesOf } from './rates.ts'
import {
  faucetUrl,
  loadSandbox,
  openSandboxState,
  paymentOf,
  paymentSimulator,
  SANDBOX_FEE_WALLET,
  sandboxPage,
} from './sandbox.ts'
import { servicesOf } from './services.ts'

/** The composed application. */
export interface Florin {
  context: Context
  http: ReturnType<typeof httpApp>
  /** Starts the background jobs. */
  startJobs(): Promise<JobLoop>
  /** Before open requests are waited for: they no longer wait for what only looks something up. */
  stopWaiting(): void
  close(): Promise<void>
}

const policyOf = (settings: Settings, checkoutUrl: string): Context['policy'] => ({
  checkoutUrl,
  dashboardUrl: settings.dashboardUrl || checkoutUrl,
  orderExpiryMs: settings.orderExpiry,
  sharedAddress: settings.sharedAddress,
  unpaidAddressesMax: settings.unpaidAddressesMax,
  lateGraceMs: settings.lateGrace,
  quorumAbove: settings.quorumAbove,
  retention: settings.retention,
})

/** Where the simulated gateway is reached. */
const standInOf = ({ feeWallet }: Settings, ownUrl: string, checkoutUrl: string) => ({
  apiUrl: `${ownUrl}/sandbox/gateway/api`,
  checkoutUrl: `${checkoutUrl}/sandbox/gateway/checkout`,
  feeWallet: feeWallet || SANDBOX_FEE_WALLET,
})

/** The sandbox keeps how far its clock was advanced. */
const clockOf = ({ now }: Platform, state: SandboxState): Clock =>
  makeClock(now, {
    load: () => state?.get<number>('clock', 'offset') ?? 0,
    save: ms => state?.put('clock', 'offset', ms),
  })

/** Uses the real clock even when the sandbox moves the server's clock. */
const limitsOf = ({ publicRateLimit, trustedProxies, apiRateLimit }: Settings, { now }: Platform) =>
  makeRateLimits(publicRateLimit, trustedProxies, now, apiRateLimit)

const slowWorkLogger =
  (log: Log) =>
  ({ access, operation, ms }: SlowWork) =>
    log.warn({ operation, ms }, `storage.${access}.slow`)

const storageHooks = ({ log, meter }: Platform, onScheduled: (dueAt: number) => void) => ({
  onScheduled,
  onSlow: slowWorkLogger(log),
  observe: domainLog(log),
  ...(meter && { onCommit: meter.committed }),
})

const pageExtras = ({ sandbox, securityContact }: Settings): Omit<HomeExtras, 'simulatePayment'> => ({
  isSandbox: sandbox !== false,
  faucetUrl: sandbox ? faucetUrl : () => null,
  look: makeLooks(registry),
  endpointChoices: endpointChoices(registry),
  securityContact,
})

type SandboxState = ReturnType<typeof openSandboxState> | null

async function closeAll(
  jobs: JobLoop | null,
  stopBackups: () => Promise<void>,
  storage: Storage,
  state: SandboxState,
): Promise<void> {
  try {
    await Promise.all([jobs?.stop(), stopBackups()])
  } finally {
    await storage.close()
    state?.close()
  }
}

const local = { images: imageReader, passwords: makePasswords() }

/** The policy, and what an operation uses that needs no other settings and no network. */
const decidedBy = (policy: Context['policy']) => ({
  ...local,
  policy,
  passkeys: passkeyChecks(policy.dashboardUrl),
})

/**
 * Composes the application. `ownUrl` is the server's address on this machine. Tests pass in payment providers
 * of their own.
 */
export async function openFlorin(
  settings: Settings,
  host: Platform,
  ownUrl: string,
  providerFactories?: readonly ProviderFactory[],
  use: DatabaseUse = { as: 'server', mode: settings.sandbox ? 'sandbox' : 'live' },
): Promise<Florin> {
  let jobs: JobLoop | null = null
  let stopBackups = async () => {}
  const stopping = new AbortController()
  const database = databaseOf(settings)
  const wake = (dueAt: number) => jobs?.wakeFor(dueAt)
  const storage = await database.open(host.now(), use, storageHooks(host, wake))
  const platform = outsideStorage(storage, host)
  const state = settings.sandbox ? openSandboxState(settings.dataDir) : null
  const clock = clockOf(platform, state)
  const sandbox =
    state &&
    loadSandbox()({
      state,
      random: platform.random,
      fetch: platform.fetch,
      baseUrl: () => ownUrl,
      clock: clock.now,
      advance: clock.advance,
      settle: async () => jobs?.settle(),
      hasAsset: id => networks.asset(id) !== undefined,
      onOutage: () => allowForcedRefresh(context),
      paymentOf: orderId => paymentOf(context, orderId),
      pageOf: sandboxPage,
    })
  const checkoutUrl = settings.checkoutUrl || ownUrl
  const standIn = sandbox && { ...standInOf(settings, ownUrl, checkoutUrl), publicKey: sandbox.publicKey }
  const networks = networksOf(settings, platform, clock.now, sandbox)
  const sources = sandbox ? rateSources(`${ownUrl}/sandbox/rates`) : settings.rates
  const outbound = outboundOf(settings, platform, storage)
  const providers = providersOf(settings, platform, standIn, providerFactories)
  const watched = { settings, platform, clock: clock.now, database, networks, sources, storage }
  const policy = policyOf(settings, checkoutUrl)
  const context: Context = {
    storage,
    clock: clock.now,
    realClock: platform.now,
    ids: { uuid: () => Bun.randomUUIDv7('hex', clock.now()), random: platform.random },
    networks,
    providers,
    rates: ratesOf(sources, settings, networks.assets, platform, clock.now),
    outbound,
    channels: channelsOf(settings, platform, outbound, storage),
    letters: lettersOf(policy, networks, settings),
    services: servicesOf({ ...watched, providers: providers.all }),
    ...decidedBy(policy),
    log: platform.log,
    stopping: stopping.signal,
    origin: { actor: 'cli', requestId: null },
  }
  const simulatePayment = sandbox && paymentSimulator(context, platform.fetch, ownUrl)
  const http = httpApp(context, { ...pageExtras(settings), simulatePayment }, limitsOf(settings, platform))
  if (sandbox) http.use(sandbox.routes)
  return {
    context,
    http,
    async startJobs() {
      await scheduleRefreshes(context)
      jobs = await startJobs(context)
      stopBackups = startBackups({ settings, database, storage, now: platform.now, log: platform.log })
      return jobs
    },
    stopWaiting: () => stopping.abort(),
    close: () => closeAll(jobs, stopBackups, storage, state),
  }
}
