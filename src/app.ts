import { type Clock, type Machine, makeClock } from './app/machine.ts'
import { networksOf } from './app/networks.ts'
import { machineOutside, outboundOf } from './app/outside-storage.ts'
import { providersOf } from './app/providers.ts'
import { ratesOf } from './app/rates.ts'
import {
  faucetUrl,
  openSandboxState,
  paymentOf,
  SANDBOX_FEE_WALLET,
  SANDBOX_NOTICE,
  sandboxPage,
} from './app/sandbox.ts'
import { httpApp } from './http/app.ts'
import { makeRateLimit } from './http/rate-limit.ts'
import { imageReader } from './images/reader.ts'
import { type JobLoop, startJobs } from './jobs/loop.ts'
import { scheduleRefreshes } from './operations/refresh-sources.ts'
import type { World } from './operations/world.ts'
import { readRateSources } from './outbound/rate-sources.ts'
import { openSandbox } from './sandbox/sandbox.ts'
import type { Settings } from './settings/table.ts'
import { databaseFile, openStorage } from './storage/sqlite/open.ts'

/** The composed product. */
export interface Florin {
  world: World
  http: ReturnType<typeof httpApp>
  /** Starts what happens by itself. */
  startJobs(): Promise<JobLoop>
  close(): Promise<void>
}

/** Puts everything together. `ownUrl` is where this server is reached from this machine. */
export function openFlorin(settings: Settings, host: Machine, ownUrl: string): Florin {
  let jobs: JobLoop | null = null
  const storage = openStorage(
    databaseFile(settings.dataDir),
    host.now(),
    () => jobs?.wake(),
    ({ access, operation, ms }) => host.log.warn({ operation, ms }, `storage.${access}.slow`),
  )
  const machine = machineOutside(storage, host)
  const state = settings.sandbox ? openSandboxState(settings.dataDir) : null
  const clock: Clock = makeClock(machine.now, {
    load: () => state?.get<number>('clock', 'offset') ?? 0,
    keep: ms => state?.put('clock', 'offset', ms),
  })
  const sandbox =
    state &&
    openSandbox({
      state,
      random: machine.random,
      fetch: machine.fetch,
      baseUrl: () => ownUrl,
      clock: clock.now,
      advance: clock.advance,
      settle: async () => jobs?.settle(),
      paymentOf: orderId => paymentOf(world, orderId),
      pageOf: sandboxPage,
    })
  const checkoutUrl = settings.checkoutUrl || ownUrl
  const standIn = sandbox && {
    apiUrl: `${ownUrl}/sandbox/gateway/api`,
    checkoutUrl: `${checkoutUrl}/sandbox/gateway/checkout`,
    feeWallet: settings.feeWallet || SANDBOX_FEE_WALLET,
    publicKey: sandbox.publicKey,
  }
  const networks = networksOf(settings, machine, clock.now, sandbox)
  const rateSources = sandbox ? readRateSources(`${ownUrl}/sandbox/rates`) : settings.rates
  const world: World = {
    storage,
    clock: clock.now,
    ids: { uuid: () => Bun.randomUUIDv7('hex', clock.now()), random: machine.random },
    networks,
    providers: providersOf(settings, machine, standIn),
    rates: ratesOf(rateSources, settings, networks.assets, machine, clock.now),
    outbound: outboundOf(settings, machine, storage),
    images: imageReader,
    log: machine.log,
    policy: {
      checkoutUrl,
      orderExpiryMs: settings.orderExpiry,
      providerShare: settings.providerMinReceived,
      sharedAddress: settings.sharedAddress,
      secondOpinion: settings.secondOpinion,
    },
  }
  const extras = {
    notice: sandbox ? SANDBOX_NOTICE : null,
    faucetUrl: sandbox ? faucetUrl : () => null,
  }
  // On the real clock, also where the sandbox moves the server's.
  const limit = makeRateLimit(settings.publicRateLimit, settings.trustedProxies, machine.now)
  const http = httpApp(world, extras, limit)
  if (sandbox) http.use(sandbox.routes)
  return {
    world,
    http,
    async startJobs() {
      await scheduleRefreshes(world)
      jobs = await startJobs(world)
      return jobs
    },
    async close() {
      await jobs?.stop()
      await storage.close()
      state?.close()
    },
  }
}
