import type { Database } from 'bun:sqlite'
import type { Asset } from '../../src/domain/asset.ts'
import { assert } from '../../src/domain/errors.ts'
import { rollingMigrations, rollingPostgresMigrations } from '../support/rolling-migrations.ts'
import { type Build, build } from './build.ts'
import { Cards } from './cards/cards.ts'
import { assetFacts, becomeHonest, openChains, type WorldChains } from './chains.ts'
import { Client } from './client.ts'
import { type Disk, type Ground, newGround } from './disks.ts'
import { earlierBuild } from './earlier.ts'
import type { Judge } from './facts.ts'
import { Gateway } from './gateway.ts'
import { Journal } from './journal.ts'
import { Lightning, lightningAsset, lightningChain, lightningFact } from './lightning.ts'
import { Machine, type Outside } from './machine.ts'
import { crossRates, Prices, SOURCES, sourceHost } from './prices.ts'
import { Receivers } from './receivers.ts'
import { openShop, type Shop } from './shops.ts'
import type { Setup } from './steps.ts'
import { Timers } from './timers.ts'
import { Transfers } from './transfers.ts'

export const MINUTE_MS = 60_000
const STARTS_AT = Date.parse('2026-03-01T10:00:00.000Z')
/**
 * Jobs that are due within this time of each other run together. Shorter ticks found no further faults.
 * Each check of the chains costs as much as several steps, so during a wait the pauses between checks grow by
 * this factor. There is a check at the end of a wait and one shortly before, so that prices are known within
 * ten minutes of each payment.
 */
const [TICK_MS, LAST_TICK_MS] = [4 * MINUTE_MS, 8 * MINUTE_MS]
const TICK_FACTOR = 3
const LONGEST_TICK_MS = 480 * MINUTE_MS
const LOCK_MS = 30 * MINUTE_MS
const GRACE_MS = 60 * MINUTE_MS
const ORDER_EXPIRY_MS = 24 * 60 * MINUTE_MS

/** A payment that a buyer opened: its address and its amount. */
export interface Opened {
  asset: string
  address: string
  /** in the smallest unit */
  due: bigint
}

export interface WorldOrder {
  number: number
  id: string
  shop: number
  amount: string
  currency: string
  opened: Opened[]
  /** the gateway's pages, with their amounts */
  pages: { method: string; amount: string; currency: string }[]
}

/** The hosts of the sources of prices. */
const HOSTS = Array.from({ length: SOURCES }, (_, source) => sourceHost(source))

const { migrations, postgresMigrations } = build
/** The migrations of this version, without the made-up ones of later versions. */
const [own, ownOfPostgres] = [migrations.length, postgresMigrations.length]

/** One server, or two that share a database, and everything around them. */
export class World {
  readonly setup: Setup
  readonly journal: Journal
  readonly chains: WorldChains
  readonly transfers: Transfers
  readonly prices: Prices
  readonly receivers: Receivers
  readonly client: Client
  readonly timers: Timers
  /** null if the gateway is not offered */
  readonly gateway: Gateway | null
  /** null if no shop takes cards on its own account */
  readonly cards: Cards | null
  /** null if no shop has a Lightning node */
  readonly lightning: Lightning | null
  /** the newest order of each number: a key that another shop uses too makes two orders of one number */
  readonly orders = new Map<number, WorldOrder>()
  /** all orders, by their ID */
  readonly allOrders = new Map<string, WorldOrder>()
  shops: Shop[] = []
  #ground: Ground | null = null
  #machines: Machine[] = []
  /** the version with which servers start */
  #first: Build = build
  #turn = 0
  /** the time by a correct clock */
  now = STARTS_AT
  /** the deviation of the server's clock */
  aheadMs = 0
  readonly #serials = { ids: 0, machines: 0 }
  readonly #outside: Outside

  constructor(setup: Setup, judges: readonly Judge[], onLine: ConstructorParameters<typeof Journal>[2]) {
    const clock = (): number => this.now
    this.setup = setup
    this.journal = new Journal(judges, clock, onLine)
    this.chains = openChains(setup.chains, clock, chain => this.#addressesOn(chain))
    this.transfers = new Transfers(this.journal, clock)
    this.prices = new Prices(this.journal)
    this.receivers = new Receivers(this.journal, setup.shops.length)
    this.timers = new Timers(clock)
    this.client = new Client(() => this.machine, this.journal)
    this.gateway = setup.hasGateway ? new Gateway(setup.seed, clock, this.journal, this.client) : null
    this.cards = setup.hasCards ? new Cards(setup.seed, clock, this.journal, this.client) : null
    this.lightning = setup.hasLightning
      ? new Lightning(setup.seed, setup.shops.length, clock, this.journal)
      : null
    const sources = HOSTS.map(host => `https://${host}/rates`)
    const { quorumAbove } = setup
    this.#outside = {
      seed: setup.seed,
      environment: {
        ...this.chains.environment,
        ...this.gateway?.environment,
        FLORIN_RATES: sources.join(),
        ...(quorumAbove !== null && { FLORIN_SECOND_OPINION: `${quorumAbove} USD` }),
      },
      now: () => this.now + this.aheadMs,
      fetch: (url, init) => this.#answer(new URL(url), init),
      send: this.receivers.send,
      // Measured by the real clock.
      log: (level, event, fields) =>
        event.endsWith('.slow') || this.journal.hear({ says: 'log', level, event, fields }),
    }
  }

  /** The machine that gets the next request. Running machines take turns. */
  get machine(): Machine {
    const living = this.#machines.filter(({ isDead }) => !isDead)
    const asked = living.length > 0 ? living : this.#machines
    this.#turn += 1
    const machine = asked[this.#turn % asked.length]
    assert(machine, 'a world is open')
    return machine
  }

  /** True if a machine has crashed or is about to. */
  get isDoomed(): boolean {
    return this.#machines.some(({ isDoomed }) => isDoomed)
  }

  /** The assets that buyers can choose, in the order in which steps number them. */
  get assets(): Asset[] {
    return [...this.chains.all.flatMap(({ assets }) => assets), ...(this.lightning ? [lightningAsset()] : [])]
  }

  /** Records an order that was made, or answered again. */
  noteOrder(made: Omit<WorldOrder, 'opened' | 'pages'>): WorldOrder {
    const order = this.allOrders.get(made.id) ?? { ...made, opened: [], pages: [] }
    this.allOrders.set(order.id, order)
    this.orders.set(made.number, order)
    return order
  }

  #addressesOn(chain: string): string[] {
    const opened = [...this.orders.values()].flatMap(order => order.opened)
    return opened.filter(({ asset }) => asset.split('/')[0] === chain).map(({ address }) => address)
  }

  async #answer(url: URL, init: RequestInit | undefined): Promise<Response> {
    const source = HOSTS.indexOf(url.host)
    if (this.gateway && url.host === 'gateway.example') return this.gateway.answer(url)
    const service = this.cards?.at(url.host)
    if (this.cards && service) return this.cards.answer(service, url, init)
    if (source >= 0) return this.prices.answer(source)
    const answer = this.lightning?.answer(url, init) ?? this.chains.answer(url, String(init?.body ?? ''))
    if (answer === null) throw new Error(`nothing is at ${url.host}`)
    return answer
  }

  async open(): Promise<void> {
    const { lightning, cards, setup } = this
    const nodes = lightning ? [lightningChain(setup.shops.length, STARTS_AT)] : []
    this.journal.note({
      ...{ fact: 'server', chains: [...this.chains.all.map(({ fact }) => fact), ...nodes] },
      assets: [...assetFacts(this.chains), ...(lightning ? [lightningFact()] : [])],
      ...{ lockMs: LOCK_MS, graceMs: GRACE_MS, orderExpiryMs: ORDER_EXPIRY_MS, providerMinReceived: '0.85' },
      quorumAbove: this.setup.quorumAbove === null ? null : this.#quorum(this.setup.quorumAbove),
      crossTenths: crossRates,
    })
    if (setup.earlier) this.#first = await earlierBuild(setup.earlier.from)
    this.#ground = await newGround(setup.engine, STARTS_AT, setup.earlier === null)
    for (const disk of this.#ground.disks) this.#machines.push(await this.#start(this.#first, disk))
    const chains = this.setup.chains.map(({ name }) => name)
    const pass = (ms: number): void => {
      this.now += ms
    }
    const { client, journal } = this
    const accounts = { hasCards: cards !== null, hasLightning: lightning !== null }
    const opening = { client, journal, chains, pass, ...accounts }
    for (const [number, shop] of this.setup.shops.entries())
      this.shops.push(await openShop({ ...opening, machine: this.machine }, number, shop))
    await this.settle()
    this.sayBooks()
  }

  #quorum = (amount: number) => ({ amount: `${amount}.00`, currency: 'USD' })

  #start = (version: Build, disk: Disk): Promise<Machine> =>
    Machine.start(version, disk, this.#outside, this.#serials)

  /** Runs the jobs that are due now. Replaces a machine that crashes meanwhile. */
  async settle(): Promise<void> {
    this.timers.runDue()
    await Promise.all(this.#machines.map(machine => machine.settle()))
    await this.revive()
  }

  /** Lets a moment pass. Timers that are due fire, and nothing waits for what they start. */
  move(ms: number): void {
    this.now += ms
    this.timers.runDue()
  }

  /** Lets time pass. Jobs run when they are due. */
  async pass(ms: number): Promise<void> {
    const start = this.now
    const end = start + ms
    while (this.now < end) {
      const dueAt = await this.machine.nextDueAt()
      const next = dueAt === null ? end : dueAt - this.aheadMs
      const tickMs = Math.min(LONGEST_TICK_MS, Math.max(TICK_MS, (this.now - start) * (TICK_FACTOR - 1)))
      const last = end - LAST_TICK_MS
      const until = this.now + TICK_MS < last ? last : end
      this.now = Math.min(until, Math.max(next, this.now + tickMs))
      await this.settle()
    }
  }

  /** Starts new machines with the disks of crashed ones. */
  async revive(): Promise<void> {
    for (const machine of this.#machines.filter(({ isDead }) => isDead)) {
      this.journal.note({ fact: 'stop', how: 'crash' })
      await this.#replace(machine, await machine.bury())
    }
  }

  async restart(): Promise<void> {
    await this.#restart(this.machine, 'restart')
  }

  async #restart(machine: Machine, how: 'restart' | 'upgrade', version = machine.build): Promise<void> {
    await machine.stop()
    this.journal.note({ fact: 'stop', how })
    await this.#replace(machine, machine.disk, version)
  }

  /** Changes a machine to this version, or back to the one with which servers started. */
  async install(number: number, version: 'earlier' | 'this'): Promise<void> {
    if (!this.setup.earlier?.isReplaced) return
    await this.revive()
    const machine = this.#machines[number % this.#machines.length]!
    const next = version === 'this' ? build : this.#first
    if (machine.build !== next) await this.#restart(machine, 'upgrade', next)
  }

  /**
   * Changes a machine to a later version, which has another migration. The other machine keeps the former
   * version.
   */
  async upgrade(): Promise<void> {
    if (migrations.length === own) {
      migrations.push(...rollingMigrations.slice(0, 1))
      postgresMigrations.push(...rollingPostgresMigrations.slice(0, 1))
    }
    await this.restart()
  }

  async #replace(machine: Machine, disk: Disk, version = machine.build): Promise<void> {
    this.timers.forget()
    const started = await this.#start(version, disk)
    this.#machines = this.#machines.map(one => (one === machine ? started : one))
    await this.settle()
  }

  setClock(aheadMs: number): void {
    this.aheadMs = aheadMs
    this.journal.note({ fact: 'clock', aheadMs })
  }

  /** Lets work read the rows of the database. */
  read<T>(work: (database: Database) => T): T {
    return this.machine.disk.read(work)
  }

  /** Lets the checks read the rows of the database, for facts that no answer, page or event shows. */
  sayBooks(): void {
    this.read(database =>
      this.journal.hear({ says: 'books', rows: <T>(sql: string) => database.query<T, []>(sql).all() }),
    )
  }

  becomeHonest(): void {
    if (this.aheadMs !== 0) this.setClock(0)
    becomeHonest(this.chains, this.journal)
    this.prices.becomeHonest()
    this.receivers.becomeHonest()
    if (this.gateway) this.gateway.mood = 'honest'
    this.cards?.becomeHonest()
    this.lightning?.becomeHonest()
  }

  /** Cancels all planned crashes. */
  spare(): void {
    for (const machine of this.#machines) machine.dieSoon(Number.POSITIVE_INFINITY)
  }

  async close(): Promise<void> {
    for (const machine of this.#machines) {
      await machine.stop().catch(() => {})
      machine.disk.remove()
      machine.remains?.remove()
    }
    this.gateway?.close()
    this.cards?.close()
    await this.#ground?.remove()
    migrations.length = own
    postgresMigrations.length = ownOfPostgres
  }
}
