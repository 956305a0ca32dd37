import { auditDatabase } from '../support/auditor.ts'
import type { WorldChain } from './chains.ts'
import { decimalOf } from './decimals.ts'
import { payEarly } from './early.ts'
import type { Judge } from './facts.ts'
import type { Journal } from './journal.ts'
import { Requests } from './requests.ts'
import type { History, Step } from './steps.ts'
import type { NewTransfer } from './transfers.ts'
import { MINUTE_MS, type Opened, World, type WorldOrder } from './world.ts'

const HONEST_MS = 150 * MINUTE_MS
/** Addresses are watched for a week, and for up to another day if the chain could not be read. */
const [WATCH_MS, LONGER_MS] = [7 * 24 * 60 * MINUTE_MS, 24 * 60 * MINUTE_MS]
const ROUNDS = 2
/**
 * Rates are deleted after eight days, one hour at a time, so the remaining ones may not include the rate that
 * was used. The values were checked before these days.
 */
const PRUNED = /was not worth \S+ at its time$/
const KEPT_MS = WATCH_MS
const ROUND_MS = 61 * MINUTE_MS
/** At the end, the page of one order in this number is read, because reading all pages takes long. */
const PAGES = 5
/**
 * The page size of the lists that are read at the end. It is small, so that most lists have several pages.
 */
const PAGE_SIZE = 20
/**
 * After this number of steps, everything is read and every invariant is checked. Orders that a step changed
 * are read after that step.
 */
const AUDIT_STEPS = 100
const LISTS = ['orders', 'transactions', 'events', 'products', 'orders?status=PAID', 'events?type=order.paid']

/** Steps that the server does not notice before its next check, so they make no job due. */
const OUTSIDE = new Set<Step['do']>([
  ...([
    'pay',
    'pay-wrong',
    'pay-early',
    'dust',
    'replace',
    'mine',
    'sweep',
    'reorganise',
    'lie',
    'outage',
  ] as const),
  ...(['price', 'source', 'receiver', 'pay-gateway', 'gateway', 'card-service', 'node', 'crash'] as const),
])
const isOutside = (step: Step): boolean => OUTSIDE.has(step.do)

const shareOf = (due: bigint, percent: number): bigint => (due * BigInt(percent)) / 100n

/** Thrown if a rule is broken. */
export class Violation extends Error {}

type OnLine = ConstructorParameters<typeof Journal>[2]

/** Runs a history in a world of its own. */
export class Simulation {
  readonly #world: World
  readonly #requests: Requests
  readonly #steps: readonly Step[]
  readonly #startedAt: number
  #together = 0

  constructor({ setup, steps }: History, judges: readonly Judge[], onLine: OnLine = null) {
    this.#world = new World(setup, judges, onLine)
    this.#requests = new Requests(this.#world)
    this.#steps = steps
    this.#startedAt = this.#world.now
  }

  /** The first broken rule, and the number of steps before it; null if the server followed all rules. */
  run(): Promise<{ problem: string; steps: number } | null> {
    return this.#world.timers.during(async () => {
      const { journal } = this.#world
      try {
        await this.#world.open()
        for (const step of this.#steps) {
          journal.step += 1
          await this.#take(step)
          if (!isOutside(step)) await this.#world.settle()
          this.#judge(journal.step % AUDIT_STEPS === 0)
        }
        await this.#finish()
        return null
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        return { problem: error.message, steps: Math.min(journal.step, this.#steps.length) }
      } finally {
        await this.#world.close()
      }
    })
  }

  #judge(isWhole: boolean): void {
    this.#require(this.#world.journal.problems(false))
    if (!isWhole) return
    this.#world.sayBooks()
    this.#require(this.#audited())
  }

  #audited(): string[] {
    const problems = this.#world.read(auditDatabase)
    const isKept = this.#world.now - this.#startedAt < KEPT_MS
    return isKept ? problems : problems.filter(problem => !PRUNED.test(problem))
  }

  #require([problem]: string[]): void {
    if (problem !== undefined) throw new Violation(problem)
  }

  async #take(step: Step): Promise<void> {
    const world = this.#world
    switch (step.do) {
      case 'together': {
        this.#together += 1
        const number = this.#together
        await Promise.all(step.requests.map(request => this.#requests.run(request, number)))
        return
      }
      case 'wait':
        return world.pass(step.minutes * MINUTE_MS)
      case 'replace':
        return world.transfers.replace(step.percent, world.orders.get(step.order ?? 0)?.id ?? null)
      case 'mine':
        return world.transfers.mine()
      case 'price':
        return world.prices.move(step.ticker, step.percent)
      case 'source':
        return world.prices.turn(step.source, step.mood)
      case 'receiver':
        return world.receivers.turn(step.shop, step.mood)
      case 'restart':
        return world.restart()
      case 'upgrade':
        return world.upgrade()
      case 'install':
        return world.install(step.machine, step.version)
      case 'crash':
        return world.machine.dieSoon(step.points, step.torn)
      case 'clock':
        return world.setClock(step.minutes * MINUTE_MS)
      case 'outage':
        return this.#outage(this.#chain(step.chain), step.isOver)
      case 'reorganise':
      case 'lie':
        return this.#disturb(step)
      case 'pay':
      case 'pay-wrong':
      case 'dust':
      case 'sweep':
        return this.#pay(step)
      case 'pay-early':
        return payEarly(world, step)
      case 'pay-gateway': {
        const order = world.orders.get(step.order)
        return order && this.#requests.buyers.payGateway(order, step)
      }
      case 'pay-card':
        return this.#payCard(step)
      case 'card-service':
        return world.cards?.turn(step.provider, step.mood)
      case 'node':
        return world.lightning?.turn(step.shop, step.lie)
      case 'gateway':
        if (world.gateway) world.gateway.mood = step.mood
        return
      default:
        return this.#requests.run(step)
    }
  }

  #chain(index: number): WorldChain {
    const { all } = this.#world.chains
    return all[index % all.length]!
  }

  #disturb(step: Extract<Step, { do: 'reorganise' | 'lie' }>): void {
    const { journal, transfers } = this.#world
    const chain = this.#chain(step.chain)
    if (step.do === 'reorganise') {
      const depth = chain.plan.depthOf(Math.min(step.depth, chain.fact.finalDepth - 1))
      if (depth > 0) transfers.reorganise(chain, depth, step.lostPercent, journal.step)
      return
    }
    const endpoint = step.endpoint % chain.endpoints.length
    const { lie, amount, times } = step
    if (lie === 'honest') chain.endpoints[endpoint]!.endAll()
    else chain.endpoints[endpoint]!.lie({ name: lie, amount, times: times ?? Number.POSITIVE_INFINITY })
    journal.note({ fact: 'endpoint', chain: chain.fact.id, endpoint, lie, amount, times })
  }

  #outage({ endpoints, fact: { id: chain } }: WorldChain, isOver: boolean): void {
    for (const [endpoint, one] of endpoints.entries()) {
      if (isOver) one.end('fail')
      else one.interrupt({ name: 'fail', amount: 0, times: Number.POSITIVE_INFINITY })
      const lie = isOver ? 'answers' : 'fail'
      this.#world.journal.note({ fact: 'endpoint', chain, endpoint, lie, amount: 0, times: null })
    }
  }

  async #payCard(step: Extract<Step, { do: 'pay-card' }>): Promise<void> {
    const { cards, orders } = this.#world
    const { provider, what, told, percent } = step
    const order = orders.get(step.order)
    if (!(cards && order)) return
    cards.told = told
    if (what === 'claim') return cards.claim(order.id, provider)
    if (what === 'refund' || what === 'dispute') return cards.takeBack(order.id, provider, what, percent)
    if (what === 'part') return cards.pay(order.id, provider, 'card', percent)
    return cards.pay(order.id, provider, what)
  }

  #payWrong(paid: NewTransfer, step: Extract<Step, { do: 'pay-wrong' }>): void {
    const { chains, transfers } = this.#world
    // Only EVM chains share addresses.
    const others = chains.all.filter(one => one.family === 'evm' && one !== paid.chain)
    if (step.chain === 'other' && paid.chain.family !== 'evm') return
    const on = step.chain === 'other' ? others[0] : paid.chain
    const assets = on?.assets.filter(({ id }) => id !== paid.asset) ?? []
    const asset = assets[step.asset % Math.max(1, assets.length)]
    if (!(on && asset)) return
    const amount = (BigInt(step.percent) * 10n ** BigInt(asset.decimals)) / 100n
    transfers.add({ ...paid, chain: on, asset: asset.id, amount })
  }

  /**
   * Sends coins to an address that the gateway allocated. They arrive at the gateway, which forwards them.
   */
  #payLent({ id }: WorldOrder, { asset, address, due }: Opened, { assets }: WorldChain, step: Step): void {
    if (step.do !== 'pay') return
    const decimals = assets.find(one => one.id === asset)?.decimals ?? 0
    const sum = (due * BigInt(step.percent)) / 100n || 1n
    this.#world.gateway?.receive(id, address, decimalOf(sum, decimals))
  }

  #pay(step: Extract<Step, { do: 'pay' | 'pay-wrong' | 'dust' | 'sweep' }>): void {
    const { orders, chains, gateway, lightning } = this.#world
    const order = orders.get(step.order)
    const opened = order?.opened.at(-1 - (step.payment % Math.max(1, order.opened.length)))
    if (order && opened?.asset === 'lightning') {
      if (step.do === 'pay') lightning?.pay(order.id, opened.address, shareOf(opened.due, step.percent))
      return
    }
    const chain = opened && chains.all.find(({ assets }) => assets.some(({ id }) => id === opened.asset))
    if (!(order && opened && chain)) return
    const paid = { chain, to: opened.address, order: order.id, asset: opened.asset, amount: 1n }
    if (gateway?.isLent(opened.address)) this.#payLent(order, opened, chain, step)
    else if (step.do === 'pay')
      this.#payAsked(paid, opened.due, { ...step, fee: this.#feeOf(order, step.fee) })
    else if (step.do === 'pay-wrong') this.#payWrong(paid, step)
    else if (step.do === 'dust') this.#payDust(paid, step.count)
  }

  /**
   * The balance of an account changes when its owner spends, so nobody can detect there that a token deducted
   * a fee.
   */
  #feeOf({ shop }: WorldOrder, fee: number): number {
    return this.#world.setup.shops[shop]!.hasAccount ? 0 : fee
  }

  #payAsked(paid: NewTransfer, due: bigint, step: Extract<Step, { do: 'pay' }>): void {
    const { waits, hiddenMinutes, fee, percent, form } = step
    const { transfers } = this.#world
    const amount = (due * BigInt(percent)) / 100n || 1n
    const { family, canListLate } = paid.chain
    const hasPool = family === 'bitcoin' || family === 'monero'
    const hiddenMs = canListLate ? hiddenMinutes * MINUTE_MS : 0
    if (form === 'same-key' && family === 'monero') {
      const first = transfers.add({ ...paid, amount })
      transfers.add({ ...paid, amount, keyOf: first })
      return
    }
    const isPlain = form === 'plain'
    transfers.add({ ...paid, amount, waits: waits && hasPool && isPlain, hiddenMs, fee, form })
  }

  #payDust(paid: NewTransfer, count: number): void {
    for (let sent = 0; sent < count; sent++) this.#world.transfers.add({ ...paid, kind: 'dust' })
  }

  /**
   * Makes all endpoints honest except those with endless lies. The server must then find and report every
   * payment. This is a step of its own: the requests of the last step may have run at once.
   */
  async #finish(): Promise<void> {
    const world = this.#world
    world.journal.step += 1
    world.spare()
    for (const machine of [0, 1]) await world.install(machine, 'this')
    for (const chain of world.chains.all) this.#outage(chain, true)
    world.becomeHonest()
    world.transfers.mine()
    await world.pass(HONEST_MS)
    this.#judge(true)
    world.now += WATCH_MS
    await world.settle()
    world.now += LONGER_MS
    for (let round = 0; round < ROUNDS; round++) {
      world.now += ROUND_MS
      await world.settle()
    }
    await this.#sendAgain()
    await this.#readEverything()
    world.sayBooks()
    this.#require(world.journal.problems(true))
    this.#require(this.#audited())
  }

  /** A shop that sets its webhook again gets everything that waited for it. */
  async #sendAgain(): Promise<void> {
    for (const { number, url } of this.#world.shops) await this.#requests.programs.setEndpoint(number, url)
    await this.#world.settle()
  }

  async #readEverything(): Promise<void> {
    const { allOrders, shops, client } = this.#world
    for (const order of allOrders.values()) {
      await this.#requests.programs.read(order, order.shop)
      await client.status(order.id)
      if (order.number % PAGES === 0)
        await this.#requests.run({ do: 'visit', order: order.number, what: 'page' })
    }
    for (const { number } of shops)
      for (const list of LISTS) await this.#requests.programs.listAll(number, `/v1/${list}`, PAGE_SIZE)
  }
}
