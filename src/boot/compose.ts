import { makeLooks } from '../coins/look.ts'
import { endpointChoices } from '../coins/public-endpoints.ts'
import { registry } from '../coins/registry.ts'
import { cliOrigin, serverOrigin } from '../domain/audit.ts'
import type { Log } from '../domain/log.ts'
import type { RouteExtras } from '../http/extras.ts'
import { makeRateLimits } from '../http/rate-limit.ts'
import { httpApp } from '../http/routes.ts'
import type { ImageReader } from '../images/port.ts'
import { invoiceFilesOf } from '../invoices/files.ts'
import { type JobLoop, startJobs } from '../jobs/loop.ts'
import { signedClients } from '../networks/keys/signed-clients.ts'
import type { Context } from '../operations/context.ts'
import { allowForcedRefresh, scheduleRegularJobs } from '../operations/upstreams/refresh.ts'
import { passkeyChecks } from '../passkeys/checks.ts'
import type { Settings } from '../settings/table.ts'
import { type DatabaseEngine, type DatabaseUse, databaseOf, type SlowWork } from '../storage/index.ts'
import type { Storage } from '../storage/port.ts'
import { channelsOf } from './channels.ts'
import { domainLog } from './domain-log.ts'
import { lettersOf } from './letters.ts'
import { outboundOf, outsideStorage } from './outside-storage.ts'
import { files } from './page-files.ts'
import { makePasswords } from './passwords.ts'
import { type Clock, makeClock, type Platform } from './platform.ts'
import { type ProviderFactory, providersOf } from './providers.ts'
import type { Replica } from './replica-services.ts'
import {
  faucetUrl,
  loadSandbox,
  openSandboxState,
  paymentOf,
  paymentSimulator,
  SANDBOX_FEE_WALLET,
  sandboxHttp,
} from './sandbox.ts'
import { checkSecrets, secretsOf } from './secrets.ts'
import { secretsFileOf } from './secrets-file.ts'
import { servicesOf } from './services.ts'
import { type LiveUpkeep, liveUpkeep } from './upkeep.ts'
import { type LiveUpstreams, liveUpstreams } from './upstreams.ts'

/** The composed application. */
export interface Florin {
  context: Context
  /** null if FLORIN_REPLICA_URL is not set */
  replica: Replica | null
  /** the server's own certificate; null without FLORIN_DOMAIN */
  certificate: Platform['certificate'] | null
  http: ReturnType<typeof httpApp>
  startJobs(): Promise<JobLoop>
  /** Ends requests that only look something up. Call it before waiting for open requests. */
  stopWaiting(): void
  close(): Promise<void>
}

const policyOf = (settings: Settings, checkoutUrl: string): Context['policy'] => ({
  checkoutUrl,
  dashboardUrl: settings.dashboardUrl || checkoutUrl,
  operatorSecondFactor: settings.operatorSecondFactor,
  orderExpiryMs: settings.orderExpiry,
  sharedAddress: settings.sharedAddress,
  unpaidAddressesMax: settings.unpaidAddressesMax,
  lateGraceMs: settings.lateGrace,
  quorumAbove: settings.quorumAbove,
  retention: settings.retention,
  greenfield: settings.greenfield,
})

/** The URLs of the sandbox's simulated providers. */
const standInOf = ({ feeWallet }: Settings, ownUrl: string, checkoutUrl: string) => ({
  stripeUrl: `${ownUrl}/sandbox/stripe`,
  mollieUrl: `${ownUrl}/sandbox/mollie/v2`,
  paypalUrl: `${ownUrl}/sandbox/paypal`,
  apiUrl: `${ownUrl}/sandbox/gateway/api`,
  checkoutUrl: `${checkoutUrl}/sandbox/gateway/checkout`,
  feeWallet: feeWallet || SANDBOX_FEE_WALLET,
})

/** The server's clock. The sandbox stores how far it was advanced. */
const clockOf = ({ now }: Platform, state: SandboxState): Clock =>
  makeClock(now, {
    load: () => state?.get<number>('clock', 'offset') ?? 0,
    save: ms => state?.put('clock', 'offset', ms),
  })

/**
 * Rate limits use the real clock, even if the sandbox advances the server's clock. In a sandbox that only its
 * own machine can reach, payments are opened without a limit: all buyers of a shop's tests are one client.
 */
const limitsOf = (
  { publicRateLimit, trustedProxies, apiRateLimit, sandbox }: Settings,
  { platform, storage }: { platform: Platform; storage: Storage },
) => ({
  ...makeRateLimits(publicRateLimit, trustedProxies, platform.now, apiRateLimit, storage.servers),
  ...(sandbox === 'loopback' && { openings: () => {} }),
})

const slowWorkLogger =
  (log: Log) =>
  ({ access, operation, ms }: SlowWork) =>
    log.warn({ operation, ms }, `storage.${access}.slow`)

const storageHooks = (
  { log, meter, connections }: Platform,
  onScheduled: (dueAt: number) => void,
  replica: Replica | null,
) => ({
  ...(replica && { replicate: replica.replicate }),
  onScheduled,
  onSlow: slowWorkLogger(log),
  observe: domainLog(log),
  ...(meter && { onCommit: meter.committed }),
  ...(connections && { connections }),
})

const pageExtras = ({ sandbox, securityContact }: Settings): Omit<RouteExtras, 'simulatePayment'> => ({
  isSandbox: sandbox !== false,
  faucetUrl: sandbox ? faucetUrl : () => null,
  files,
  look: makeLooks(registry),
  endpointChoices: endpointChoices(registry),
  securityContact,
})

type SandboxState = ReturnType<typeof openSandboxState> | null

/** Work that runs beside the requests. */
interface Background {
  jobs: JobLoop | null
  live: LiveUpstreams
  upkeep: LiveUpkeep
}

interface BackgroundParts {
  settings: Settings
  database: DatabaseEngine
  replica: Replica | null
  storage: Storage
  platform: Platform
}

async function startAll(background: Background, context: Context, parts: BackgroundParts): Promise<JobLoop> {
  await checkSecrets(context.storage, context.secrets, secretsFileOf(parts.settings))
  await background.live.follow()
  await scheduleRegularJobs(context)
  background.jobs = await startJobs(context)
  background.upkeep.start()
  return background.jobs
}

async function closeAll(
  { jobs, live, upkeep }: Background,
  storage: Storage,
  state: SandboxState,
): Promise<void> {
  try {
    await Promise.all([jobs?.stop(), live.stop(), upkeep.stop()])
  } finally {
    await storage.close()
    state?.close()
  }
}

const reader = (): typeof import('../images/reader.ts').imageReader =>
  require('../images/reader.ts').imageReader

/** Loads the decoder with the first image. */
const images: ImageReader = {
  read: (...file) => reader().read(...file),
  readSvg: (...file) => reader().readSvg(...file),
}

const idsOf = ({ uuid, random }: Platform, clock: Clock): Context['ids'] => ({
  uuid: () => uuid?.(clock.now()) ?? Bun.randomUUIDv7('hex', clock.now()),
  random,
})

/** The same context for commands. Their actions have another origin than the server's own actions. */
const forCommands = (context: Context): Context =>
  new Proxy(context, { get: (parts, name) => (name === 'origin' ? cliOrigin : Reflect.get(parts, name)) })

const localTo = ({ passwordCost }: Platform) => ({
  images,
  passwords: makePasswords(passwordCost),
  origin: serverOrigin,
})

/** Makes the parts of the context that depend only on the policy and the settings, not on the network. */
const decidedBy = (
  policy: Context['policy'],
  networks: Context['networks'],
  settings: Settings,
  platform: Platform,
) => ({
  ...localTo(platform),
  invoiceFiles: invoiceFilesOf(settings.fontFile),
  secrets: secretsOf(secretsFileOf(settings)),
  letters: lettersOf(policy, networks, settings),
  policy,
  passkeys: passkeyChecks(policy.dashboardUrl),
  signedClients,
})

type OpenReplica = typeof import('./replica.ts').replicaOf

/** Prepares the replica that the settings name. Without one, returns null and loads none of its code. */
function replicaOf(settings: Settings, platform: Platform): Replica | null {
  if (settings.replicaUrl === null) return null
  const open: OpenReplica = require('./replica.ts').replicaOf
  return open(settings, platform)
}

/**
 * Composes the application. `ownUrl` is the server's address on this machine. Tests pass their own payment
 * providers.
 */
export async function openFlorin(
  settings: Settings,
  host: Platform,
  ownUrl: string,
  providerFactories?: readonly ProviderFactory[],
  use: DatabaseUse = { as: 'server', mode: settings.sandbox ? 'sandbox' : 'live' },
): Promise<Florin> {
  let background: Background | null = null
  const stopping = new AbortController()
  const database = databaseOf(settings)
  const wake = (dueAt: number) => background?.jobs?.wakeFor(dueAt)
  const replica = use.as === 'server' ? replicaOf(settings, host) : null
  const storage = await database.open(host.now(), use, storageHooks(host, wake, replica))
  const platform = outsideStorage(storage, host)
  const state = settings.sandbox ? openSandboxState(settings.dataDir) : null
  const clock = clockOf(platform, state)
  const checkoutUrl = settings.checkoutUrl || ownUrl
  const sandbox =
    state &&
    loadSandbox()({
      state,
      random: platform.random,
      fetch: platform.fetch,
      ...{ baseUrl: () => ownUrl, publicUrl: checkoutUrl },
      clock: clock.now,
      advance: clock.advance,
      settle: async () => background?.jobs?.settle(),
      hasAsset: id => networks.asset(id) !== undefined,
      onOutage: () => allowForcedRefresh(context),
      paymentOf: query => paymentOf(context, query),
      ...sandboxHttp,
    })
  const standIn = sandbox && { ...standInOf(settings, ownUrl, checkoutUrl), publicKey: sandbox.publicKey }
  const live = liveUpstreams({ settings, platform, clock: clock.now, storage, standIn: sandbox, ownUrl })
  const upkeep = liveUpkeep({ settings, database, replica, storage, platform, clock: clock.now })
  const running: Background = { jobs: null, live, upkeep }
  background = running
  const { networks, rates, upstreams } = live
  const outbound = outboundOf(settings, platform, storage, ownUrl)
  const providers = providersOf(settings, platform, standIn, clock.now, providerFactories)
  const channels = channelsOf(live.settings, platform, outbound, storage)
  const watched = { channels, replica, platform, clock: clock.now, database, networks, storage, providers }
  const context: Context = {
    storage,
    clock: clock.now,
    realClock: platform.now,
    ids: idsOf(platform, clock),
    networks,
    providers,
    ...{ rates, upstreams, upkeep: upkeep.upkeep },
    outbound,
    channels,
    services: () => servicesOf({ ...watched, settings: live.settings(), sources: live.sources() }),
    ...decidedBy(policyOf(settings, checkoutUrl), networks, settings, platform),
    log: platform.log,
    stopping: stopping.signal,
  }
  const simulatePayment = sandbox && paymentSimulator(context, platform.fetch, ownUrl)
  const extras = { ...pageExtras(settings), simulatePayment }
  const http = httpApp(context, extras, limitsOf(settings, watched))
  if (sandbox) http.use(sandbox.routes)
  return {
    context: forCommands(context),
    replica,
    certificate: host.certificate ?? null,
    http,
    startJobs: () => startAll(running, context, { ...watched, settings }),
    stopWaiting: () => stopping.abort(),
    close: () => closeAll(running, storage, state),
  }
}
