import type { Asset } from '../../src/domain/asset.ts'
import { assert, Refusal } from '../../src/domain/errors.ts'
import type { Log } from '../../src/domain/log.ts'
import { type JobLoop, startJobs } from '../../src/jobs/loop.ts'
import { NetworkError } from '../../src/networks/port.ts'
import type { Context } from '../../src/operations/context.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { createOrder } from '../../src/operations/orders/create.ts'
import { checkNow } from '../../src/operations/payments/check-now.ts'
import { loadCheckout } from '../../src/operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../src/operations/payments/open-crypto.ts'
import type { Outbound } from '../../src/outbound/port.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { creditOf } from './chain.ts'
import { readRows } from './database.ts'
import type { History, Setup, Step } from './history.ts'
import { checkOrders, checkPayments, type OpenedOrder } from './model.ts'
import { type Plan, plans } from './plans.ts'
import { seededRandom } from './random.ts'
import { openScene, type Scene, STARTS_AT } from './scene.ts'

const MINUTE_MS = 60_000
const HONEST_MS = 150 * MINUTE_MS
const WATCH_MS = 8 * 24 * 60 * MINUTE_MS
/** What one tick may cost in processor time, microseconds. Thousands of normal ones take less. */
const CPU_MAX = 700_000
const SETTLED_ROUNDS = 4

const noTexts = () => ({ several: String, more: String, order: String, dashboard: String })
const noLetter = () => ({ subject: '', text: '', html: '' })

const anywhere: Outbound = {
  check: async () => {},
  checkImage: () => {},
  post: async () => ({ httpStatus: 200, outcome: 'delivered', durationMs: 1 }),
}

const prices: Record<string, string> = {
  usdc: '1',
  usdt: '1',
  pol: '0.5',
  trx: '0.2',
  sol: '150',
  xmr: '160',
  btc: '60000',
}

/** The history showed that something does not hold. */
class Violation extends Error {}

/** Runs one history with the real networks, operations, jobs and storage, on a clock of its own. */
export class Simulation {
  readonly #setup: Setup
  readonly #plan: Plan
  readonly #folder: string
  readonly #scene: Scene
  readonly #orders: OpenedOrder[] = []
  readonly #random: (bytes: number) => Uint8Array
  #now = STARTS_AT
  #ids = 0
  #context: Context
  #jobs: JobLoop | null = null
  #merchantId = ''

  constructor(setup: Setup, folder: string) {
    this.#setup = setup
    this.#plan = plans[setup.family]
    this.#folder = folder
    const random = seededRandom(setup.seed + 1)
    this.#random = bytes => Uint8Array.from({ length: bytes }, () => random.int(256))
    this.#scene = openScene(
      setup,
      () => this.#now,
      () => this.#orders.map(({ address }) => address),
    )
    this.#context = this.#makeContext()
  }

  /** What does not hold; null if everything does. */
  async run({ steps }: History): Promise<string | null> {
    this.#losesSweeps =
      this.#setup.family === 'evm' &&
      steps.some(step => step.do === 'lie' && step.lie === 'omit' && step.times > 1)
    try {
      this.#jobs = await startJobs(this.#context)
      await this.#prepare()
      for (const step of steps) await this.#take(step)
      await this.#finish()
      return null
    } catch (error) {
      if (error instanceof Violation) return error.message
      throw error
    } finally {
      await this.#jobs?.stop()
      await this.#context.storage.close()
    }
  }

  /** The assets of the payments that buyers could open. */
  get openedAssets(): string[] {
    return this.#orders.map(({ asset }) => asset)
  }

  #makeContext(): Context {
    const clock = (): number => this.#now
    const { quorumAbove } = this.#setup
    return {
      storage: openStorage(databaseFile(this.#folder), this.#now),
      clock,
      realClock: clock,
      ids: { uuid: () => this.#uuid(), random: this.#random },
      origin: { actor: 'cli', requestId: null, client: null },
      stopping: new AbortController().signal,
      networks: this.#scene.makeNetworks(),
      providers: { all: [], find: () => undefined },
      rates: {
        rate: async assetId => ({
          value: prices[assetId.split('/').at(-1)!]!,
          currency: 'USD',
          sources: ['simulation'],
          at: this.#now,
        }),
        refresh: async () => {},
      },
      channels: { mail: null, url: null, ofPerson: () => null },
      letters: {
        ...{ link: noLetter, receipt: noLetter, payment: noLetter, toPerson: noLetter },
        ...{ notification: () => ({ title: '', text: '' }), messageTexts: noTexts },
        notificationUrl: () => '',
        ...{ digest: noLetter, channelCode: noLetter, channelTest: noLetter },
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
      },
      outbound: { endpoint: anywhere, webhook: anywhere, channel: anywhere },
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
        unpaidAddressesMax: 200,
        retention: { idempotency: null, tries: null, abandoned: null },
        lateGraceMs: 60 * MINUTE_MS,
        quorumAbove: quorumAbove === null ? null : { amount: `${quorumAbove}.00`, currency: 'USD' },
      },
    }
  }

  /** Failed jobs are bugs: an endpoint can at most cause a NetworkError, which is handled. */
  #log(): Log {
    return {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (fields, event) => {
        if (event === 'payment.reorganised' && this.#mayLosePayments) return
        const { error = '' } = fields as { error?: string }
        this.#failure ??= `${event}: ${error.split('\n')[0]}`
      },
    }
  }

  #failure: string | null = null
  /** The merchant may be warned of a lost payment. */
  #mayLosePayments = false

  #uuid(): string {
    this.#ids += 1
    const time = this.#now.toString(16).padStart(12, '0')
    const tail = (BigInt(this.#setup.seed) * 1_000_000n + BigInt(this.#ids)).toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail.slice(-12)}`
  }

  async #prepare(): Promise<void> {
    const { id } = await createMerchant(this.#context, { email: 'shop@shop.example', name: 'Corner Coffee' })
    this.#merchantId = id
    await this.#plan.setUpWallet(this.#context, id, this.#setup)
  }

  async #take(step: Step): Promise<void> {
    const { chain, endpoints } = this.#scene
    switch (step.do) {
      case 'open':
        return this.#open(step.order, step.asset)
      case 'wait':
        return this.#pass(step.minutes * MINUTE_MS)
      case 'restart':
        return this.#restart()
      case 'reorganise':
        this.#mayLosePayments ||= this.#plan.canReplaceFinal
        return chain.reorganise(this.#plan.depthOf(step.depth), step.loses)
      case 'lie':
        return endpoints[step.endpoint]!.lie({ name: step.lie, times: step.times, amount: step.amount })
      default: {
        const order = this.#orders.find(({ number }) => number === step.order)
        if (order) await this.#takeFor(order, step)
      }
    }
  }

  async #takeFor(order: OpenedOrder, step: Step): Promise<void> {
    const { chain, assets } = this.#scene
    const { address: to, asset, due } = order
    switch (step.do) {
      case 'pay': {
        // Few buyers pay another asset than they were asked for.
        const [first] = assets as [Asset, ...Asset[]]
        const isOther = step.asset === 0 && first.id !== asset && this.#plan.canFind(first.id, this.#setup)
        const paid = isOther ? first.id : asset
        // An account of another asset must hold some of it to exist.
        const least = isOther ? first.minimum : 1n
        const isInternal = this.#plan.hasInternalTransfers && paid === this.#plan.coin && step.asset === 1
        const kind = isInternal ? 'internal' : 'payment'
        chain.add({ to, asset: paid, amount: (due * BigInt(step.percent)) / 100n + least, kind })
        return
      }
      case 'visit':
        return this.#visit(order)
      case 'sweep':
        return this.#sweep(order)
      case 'disturb':
        return this.#disturb(order, step.lie, step.amount)
    }
  }

  async #open(number: number, assetIndex: number): Promise<void> {
    const { assets } = this.#scene
    const asset = assets[assetIndex % assets.length]!
    const { order } = await createOrder(this.#context, this.#merchantId, {
      amount: `${15 + number * 5}.00`,
      currency: 'USD',
      paymentMethodsKeys: ['crypto'],
      customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' },
    })
    try {
      await openCryptoAttempt(this.#context, order.id, asset.id)
      const [attempt] = await this.#context.storage.read(tables => tables.attempts.listOf(order.id))
      assert(attempt, 'a payment is open')
      this.#orders.push({
        number,
        id: order.id,
        attemptId: attempt.id,
        address: this.#plan.spell(attempt.address!),
        asset: attempt.assetId,
        due: attempt.dueAtomic,
        worth: (other, amount) => this.#worth(other, amount, asset),
        lockedUntil: attempt.lockedUntil,
        isFlooded: false,
      })
    } catch (error) {
      // An endpoint that lies may prevent it. The buyer sees an error, and pays nothing.
      if (!(error instanceof Refusal || error instanceof NetworkError)) throw this.#bug('opening', error)
    }
  }

  /** What an amount of one asset is worth in another. */
  #worth(from: string, amount: bigint, to: Asset): bigint {
    const decimals = this.#scene.assets.find(({ id }) => id === from)!.decimals
    const cents = (id: string) => BigInt(Number(prices[id.split('/').at(-1)!]) * 100)
    return (amount * cents(from) * 10n ** BigInt(to.decimals)) / (cents(to.id) * 10n ** BigInt(decimals))
  }

  async #visit({ id, number }: OpenedOrder): Promise<void> {
    this.#now += 6000
    try {
      await checkNow(this.#context, await loadCheckout(this.#context, id), 'page')
    } catch (error) {
      throw this.#bug(`the page of order ${number}`, error)
    }
    await this.#settle()
  }

  #bug(where: string, error: unknown): Violation {
    return new Violation(
      `${where} fails: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`,
    )
  }

  /** What came and went while scan after scan lacked all logs has left no trace. */
  #losesSweeps = false

  /** Moves everything from a forwarder to the payout wallet. */
  #sweep({ address }: OpenedOrder): void {
    const { chain, assets } = this.#scene
    if (this.#losesSweeps) return
    for (const { id } of assets.filter(one => this.#plan.canSweep(one.id, this.#setup))) {
      const moves = chain.transfers.filter(({ asset, height }) => asset === id && height <= chain.head)
      const amount = moves.reduce(
        (sum, one) =>
          sum + (one.to === address ? creditOf(one) : 0n) - (one.from === address ? one.amount : 0n),
        0n,
      )
      const waits = chain.transfers.some(({ from, height }) => from === address && height > chain.head)
      if (amount > 0n && !waits)
        chain.add({ to: this.#plan.payout, from: address, asset: id, amount, kind: 'flush' })
    }
  }

  #disturb(order: OpenedOrder, lie: string, amount: number): void {
    const { chain, assets } = this.#scene
    const { address: to, asset } = order
    if (lie.endsWith('Flood')) {
      order.isFlooded = true
      const token = assets.find(({ contract }) => contract !== null)!.id
      chain.add({ to, asset: token, amount: 0n, count: amount, kind: 'disturbance' })
      return
    }
    if (lie === 'tokenFee') this.#payWithFee(order, amount)
    else for (let sent = 0; sent < amount; sent++) chain.add({ to, asset, amount: 1n, kind: 'disturbance' })
  }

  /** At an address whose owner can spend, balances say nothing: there the log is all that is known. */
  #payWithFee({ address: to, asset, due }: OpenedOrder, percent: number): void {
    const { chain, assets } = this.#scene
    const takesFee = assets.some(({ id, contract }) => id === asset && contract !== null)
    const credited = takesFee && !this.#setup.hasAccount ? due - (due * BigInt(percent)) / 100n : due
    chain.add({ to, asset, amount: due, credited, kind: 'payment' })
  }

  async #restart(): Promise<void> {
    await this.#jobs?.stop()
    await this.#context.storage.close()
    this.#context = this.#makeContext()
    this.#jobs = await startJobs(this.#context)
    await this.#settle()
  }

  /** Lets time pass. Jobs run when they are due. */
  async #pass(ms: number): Promise<void> {
    const end = this.#now + ms
    while (this.#now < end) {
      const dueAt = await this.#context.storage.read(tables => tables.jobs.nextDueAt([]))
      this.#now = Math.min(end, Math.max(dueAt ?? end, this.#now + this.#plan.tickMs))
      await this.#settle()
    }
  }

  async #settle(): Promise<void> {
    const [since, before] = [performance.now(), process.cpuUsage().user]
    const answeredBefore = this.#scene.answeringMs()
    await this.#jobs?.settle()
    if (this.#failure !== null) throw new Violation(this.#failure)
    // What took less time cannot have used more of it, and asking the system is not free.
    if (performance.now() - since < CPU_MAX / 1000) return
    const answering = (this.#scene.answeringMs() - answeredBefore) * 1000
    const used = process.cpuUsage().user - before - answering
    if (used > CPU_MAX) throw new Violation(`a scan uses more than ${CPU_MAX / 1000} ms of processor time`)
  }

  /** From now on nobody lies who does not lie forever. Everything that arrived must be found. */
  async #finish(): Promise<void> {
    for (const endpoint of this.#scene.endpoints) endpoint.becomeHonest()
    await this.#pass(HONEST_MS)
    this.#require(checkOrders(this.#scene.chain, this.#orders, readRows(this.#folder)))
    this.#now += WATCH_MS
    for (let round = 0; round < SETTLED_ROUNDS; round++) {
      this.#now += 61 * MINUTE_MS
      await this.#settle()
    }
    const rows = readRows(this.#folder)
    this.#require(checkOrders(this.#scene.chain, this.#orders, rows))
    this.#require(checkPayments(this.#scene.chain, this.#orders, rows))
    this.#require(audit(databaseFile(this.#folder)))
  }

  #require(problems: string[]): void {
    const [first] = problems
    if (first !== undefined) throw new Violation(first)
  }
}
