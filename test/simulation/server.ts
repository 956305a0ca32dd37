import type { Log } from '../../src/domain/log.ts'
import { type JobLoop, startJobs } from '../../src/jobs/loop.ts'
import { signedClients } from '../../src/networks/keys/signed-clients.ts'
import type { Networks } from '../../src/networks/port.ts'
import type { Context } from '../../src/operations/context.ts'
import type { Outbound } from '../../src/outbound/port.ts'
import type { Rates } from '../../src/rates/port.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { seededRandom } from './random.ts'
import { STARTS_AT } from './scene.ts'

export const MINUTE_MS = 60_000
/** The most processor time of one tick, in microseconds. Thousands of normal ticks take less. */
const CPU_MAX = 700_000

const neverPrinted = (): never => {
  throw new Error('the simulation prints no invoices')
}
const noTexts = () => ({ several: String, more: String, order: String, dashboard: String })
const anywhere: Outbound = {
  check: async () => {},
  checkImage: () => {},
  post: async () => ({ httpStatus: 200, outcome: 'delivered', durationMs: 1 }),
}
const noLetter = () => ({ subject: '', text: '', html: '' })

/** Thrown if a rule is broken in a history. */
export class Violation extends Error {}

interface ServerOptions {
  seed: number
  /** folder of the database */
  folder: string
  /** payments of orders above this many dollars must be confirmed by two endpoints; null for never */
  quorumAbove: number | null
  /** Jobs that are due within this time of each other run together. */
  tickMs: number
  /** Makes new networks without remembered state, as after a restart. */
  makeNetworks(clock: () => number): Networks
  makeRates(clock: () => number): Rates
  /** the time that the endpoints took to answer, in milliseconds, which is not time of the product */
  answeringMs(): number
}

/** The product's networks, operations, jobs and storage, with a clock of their own. */
export class SimulatedServer {
  now = STARTS_AT
  /** true if the merchant may be notified of a lost payment */
  mayLosePayments = false
  readonly #options: ServerOptions
  readonly #random: (bytes: number) => Uint8Array
  #ids = 0
  #failure: string | null = null
  #context: Context
  #jobs: JobLoop | null = null

  constructor(options: ServerOptions) {
    this.#options = options
    const random = seededRandom(options.seed + 1)
    this.#random = bytes => Uint8Array.from({ length: bytes }, () => random.int(256))
    this.#context = this.#makeContext()
  }

  get context(): Context {
    return this.#context
  }

  async start(): Promise<void> {
    this.#jobs = await startJobs(this.#context)
  }

  async stop(): Promise<void> {
    await this.#jobs?.stop()
    await this.#context.storage.close()
  }

  async restart(): Promise<void> {
    await this.stop()
    this.#context = this.#makeContext()
    await this.start()
    await this.settle()
  }

  /** Lets time pass. Jobs run when they are due. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    while (this.now < end) {
      const dueAt = await this.#context.storage.read(tables => tables.jobs.nextDueAt([]))
      this.now = Math.min(end, Math.max(dueAt ?? end, this.now + this.#options.tickMs))
      await this.settle()
    }
  }

  /** Runs the jobs that are due now. */
  async settle(): Promise<void> {
    const { answeringMs } = this.#options
    const [since, before] = [performance.now(), process.cpuUsage().user]
    const answeredBefore = answeringMs()
    await this.#jobs?.settle()
    if (this.#failure !== null) throw new Violation(this.#failure)
    // Work that took less time cannot have used more processor time, so the system is not asked for it.
    if (performance.now() - since < CPU_MAX / 1000) return
    const answering = (answeringMs() - answeredBefore) * 1000
    const used = process.cpuUsage().user - before - answering
    if (used > CPU_MAX) throw new Violation(`a scan uses more than ${CPU_MAX / 1000} ms of processor time`)
  }

  #makeContext(): Context {
    const clock = (): number => this.now
    const { quorumAbove, folder, makeNetworks, makeRates } = this.#options
    return {
      storage: openStorage(databaseFile(folder), this.now),
      clock,
      realClock: clock,
      ids: { uuid: () => this.#uuid(), random: this.#random },
      secrets: {
        seal: credentials => credentials,
        open: stored => stored,
        isSealed: () => false,
        addKey() {},
        dropFormerKeys() {},
      },
      origin: { actor: 'cli', requestId: null, client: null },
      stopping: new AbortController().signal,
      networks: makeNetworks(clock),
      providers: { all: [], find: () => undefined },
      signedClients,
      rates: makeRates(clock),
      invoiceFiles: { cii: () => '', ubl: () => '', writesPdf: () => false, pdf: async () => null },
      channels: { mail: null, url: null, ofPerson: () => null },
      letters: {
        ...{ invoice: noLetter, invoicePage: () => '', invoiceDocument: neverPrinted },
        ...{ link: noLetter, receipt: noLetter, payment: noLetter, toPerson: noLetter },
        ...{ notification: () => ({ title: '', text: '' }), messageTexts: noTexts },
        notificationUrl: () => '',
        ...{ digest: noLetter, channelCode: noLetter, channelTest: noLetter, invitation: noLetter },
        passwordLink: noLetter,
      },
      services: () => [],
      upstreams: {
        reload: async () => {},
        chains: () => [],
        protocols: () => [],
        rates: () => ({ origin: 'environment', names: [], exchanges: [] }),
        pricesOf: () => ({ used: [], pricing: [], others: [] }),
        tryEndpoint: async () => ({ usable: [], problems: [] }),
        tryRateSource: async () => null,
        mail: () => ({ origin: 'none', url: '', sender: '', chosen: null }),
        tryMail: async () => null,
      },
      upkeep: {
        backups: async () => ({
          isFile: true,
          lastAt: null,
          automatic: null,
          replica: null,
          secretsFile: '',
        }),
        startBackup() {},
        async *readBackup() {},
        startReplicaTrial() {},
        recordBackup: async () => {},
        figures: async () => ({ gauges: [], metrics: null }),
        check: async () => [],
      },
      outbound: { endpoint: anywhere, webhook: anywhere, channel: anywhere, lightning: anywhere },
      images: {
        read: async (_, bytes) => ({ bytes, width: 800, height: 800 }),
        readSvg: bytes => ({ bytes, width: 512, height: 512 }),
      },
      passkeys: {
        place: null,
        algorithms: [],
        read: () => null,
        checkNew: async () => null,
        checkUse: async () => null,
      },
      passwords: { hash: async () => '', verify: async () => false },
      log: this.#log(),
      policy: {
        checkoutUrl: 'https://pay.example',
        operatorSecondFactor: 'optional',
        dashboardUrl: '',
        orderExpiryMs: 24 * 60 * MINUTE_MS,
        sharedAddress: false,
        greenfield: false,
        unpaidAddressesMax: 200,
        retention: { idempotency: null, tries: null, abandoned: null, tests: null },
        lateGraceMs: 60 * MINUTE_MS,
        quorumAbove: quorumAbove === null ? null : { amount: `${quorumAbove}.00`, currency: 'USD' },
      },
    }
  }

  /** A failed job is a bug: an endpoint can at most cause a NetworkError, which jobs handle. */
  #log(): Log {
    return {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (fields, event) => {
        if (event === 'payment.reorganised' && this.mayLosePayments) return
        const { error = '' } = fields as { error?: string }
        this.#failure ??= `${event}: ${error.split('\n')[0]}`
      },
    }
  }

  #uuid(): string {
    this.#ids += 1
    const time = this.now.toString(16).padStart(12, '0')
    const tail = (BigInt(this.#options.seed) * 1_000_000n + BigInt(this.#ids)).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail.slice(-12)}`
  }
}
