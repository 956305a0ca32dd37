import { Database } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { assert } from '../../src/domain/errors.ts'
import { databaseFile, openStorage } from '../../src/storage/sqlite/open.ts'
import { assetFacts, becomeHonest, openChains, type WorldChains } from './chains.ts'
import { Client } from './client.ts'
import type { Judge } from './facts.ts'
import { Gateway } from './gateway.ts'
import { Journal } from './journal.ts'
import { Machine, newFolder, type Outside } from './machine.ts'
import { crossRates, Prices, SOURCES, sourceHost } from './prices.ts'
import { Receivers } from './receivers.ts'
import { openShop, type Shop } from './shops.ts'
import type { Setup } from './steps.ts'
import { Timers } from './timers.ts'
import { Transfers } from './transfers.ts'

export const MINUTE_MS = 60_000
const STARTS_AT = Date.parse('2026-03-01T10:00:00.000Z')
/**
 * Jobs that are due within this time of each other run together: a shorter one shows nothing more. Since each look at
 * the chains costs as much as several steps, the times between the looks of a wait grow by this factor. One is at its
 * end and one shortly before it, so that prices are known within ten minutes of each payment.
 */
const [TICK_MS, LAST_TICK_MS] = [MINUTE_MS, 8 * MINUTE_MS]
const TICK_FACTOR = 3
const LONGEST_TICK_MS = 120 * MINUTE_MS
const LOCK_MS = 30 * MINUTE_MS
const GRACE_MS = 60 * MINUTE_MS
const ORDER_EXPIRY_MS = 24 * 60 * MINUTE_MS

/** A payment that a buyer opened: where to pay, and how much. */
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
  /** pages of the gateway: what they asked for */
  pages: { method: string; amount: string; currency: string }[]
}

let empty: Promise<Buffer> | undefined

/** A new folder with an empty database, whose migrations run only once in a process. */
async function folderWithDatabase(): Promise<string> {
  const folder = newFolder()
  const file = databaseFile(folder)
  empty ??= openStorage(file, STARTS_AT)
    .close()
    .then(() => readFileSync(file))
  writeFileSync(file, await empty, { mode: 0o600 })
  return folder
}

/** Everything around one server, and the server itself. */
export class World {
  readonly setup: Setup
  readonly journal: Journal
  readonly chains: WorldChains
  readonly transfers: Transfers
  readonly prices: Prices
  readonly receivers: Receivers
  readonly client: Client
  readonly timers: Timers
  /** null if it is not offered */
  readonly gateway: Gateway | null
  readonly orders = new Map<number, WorldOrder>()
  shops: Shop[] = []
  #machine: Machine | null = null
  /** the true time */
  now = STARTS_AT
  /** how far the server's clock is from the true time */
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
    const sources = Array.from({ length: SOURCES }, (_, source) => `https://${sourceHost(source)}/rates`)
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
      fetch: (url, init) => this.#answer(new URL(url), String(init?.body ?? '')),
      send: this.receivers.send,
      // Measured by the real clock.
      log: (level, event, fields) =>
        event.endsWith('.slow') || this.journal.hear({ says: 'log', level, event, fields }),
    }
  }

  get machine(): Machine {
    assert(this.#machine, 'a world is open')
    return this.#machine
  }

  #addressesOn(chain: string): string[] {
    const opened = [...this.orders.values()].flatMap(order => order.opened)
    return opened.filter(({ asset }) => asset.split('/')[0] === chain).map(({ address }) => address)
  }

  async #answer(url: URL, body: string): Promise<Response> {
    const source = Array.from({ length: SOURCES }, (_, index) => sourceHost(index)).indexOf(url.host)
    if (this.gateway && url.host === 'gateway.example') return this.gateway.answer(url)
    if (source >= 0) return this.prices.answer(source)
    const answer = this.chains.answer(url, body)
    if (answer === null) throw new Error(`nothing is at ${url.host}`)
    return answer
  }

  async open(): Promise<void> {
    this.journal.note({
      ...{ fact: 'server', assets: assetFacts(this.chains), chains: this.chains.all.map(({ fact }) => fact) },
      ...{ lockMs: LOCK_MS, graceMs: GRACE_MS, orderExpiryMs: ORDER_EXPIRY_MS, providerMinReceived: '0.85' },
      quorumAbove: this.setup.quorumAbove === null ? null : this.#quorum(this.setup.quorumAbove),
      crossTenths: crossRates,
    })
    this.#machine = await Machine.start(await folderWithDatabase(), this.#outside, this.#serials)
    const chains = this.setup.chains.map(({ name }) => name)
    const pass = (ms: number): void => {
      this.now += ms
    }
    const opening = { client: this.client, journal: this.journal, chains, pass }
    for (const [number, shop] of this.setup.shops.entries())
      this.shops.push(await openShop({ ...opening, context: this.machine.context }, number, shop))
    await this.settle()
    this.sayBooks()
  }

  #quorum = (amount: number) => ({ amount: `${amount}.00`, currency: 'USD' })

  /** Runs the jobs that are due now. A machine that dies meanwhile is replaced. */
  async settle(): Promise<void> {
    this.timers.runDue()
    await this.machine.settle()
    await this.revive()
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

  /** Starts a new machine with the disk of a dead one. */
  async revive(): Promise<void> {
    if (!this.machine.isDead) return
    this.journal.note({ fact: 'stop', how: 'crash' })
    await this.#startWith(await this.machine.bury())
  }

  async restart(): Promise<void> {
    await this.machine.stop()
    this.journal.note({ fact: 'stop', how: 'restart' })
    await this.#startWith(this.machine.folder)
  }

  async #startWith(folder: string): Promise<void> {
    this.timers.forget()
    this.#machine = await Machine.start(folder, this.#outside, this.#serials)
    await this.settle()
  }

  setClock(aheadMs: number): void {
    this.aheadMs = aheadMs
    this.journal.note({ fact: 'clock', aheadMs })
  }

  get file(): string {
    return databaseFile(this.machine.folder)
  }

  /** Tells the judges that the rows of the database can be read, for what nothing else says. */
  sayBooks(): void {
    const database = new Database(this.file, { readonly: true })
    try {
      this.journal.hear({ says: 'books', rows: <T>(sql: string) => database.query<T, []>(sql).all() })
    } finally {
      database.close()
    }
  }

  becomeHonest(): void {
    if (this.aheadMs !== 0) this.setClock(0)
    becomeHonest(this.chains, this.journal)
    this.prices.becomeHonest()
    this.receivers.becomeHonest()
    if (this.gateway) this.gateway.mood = 'honest'
  }

  async close(): Promise<void> {
    await this.#machine?.stop().catch(() => {})
    this.gateway?.close()
    const { folder, remains = null } = this.#machine ?? {}
    for (const left of [folder, remains]) if (left) rmSync(left, { recursive: true, force: true })
  }
}
