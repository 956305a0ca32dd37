import type { Asset } from '../../src/domain/asset.ts'
import { assert, Refusal } from '../../src/domain/errors.ts'
import { NetworkError } from '../../src/networks/port.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { createOrder } from '../../src/operations/orders/create.ts'
import { checkNow } from '../../src/operations/payments/check-now.ts'
import { loadCheckout } from '../../src/operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../src/operations/payments/open-crypto.ts'
import type { Rates } from '../../src/rates/port.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { audit } from '../support/auditor.ts'
import { creditOf } from './chain.ts'
import { readRows } from './database.ts'
import type { History, Setup, Step } from './history.ts'
import { checkOrders, checkPayments, type OpenedOrder } from './model.ts'
import { type Plan, plans } from './plans.ts'
import { openScene, type Scene } from './scene.ts'
import { MINUTE_MS, SimulatedServer, Violation } from './server.ts'

const HONEST_MS = 150 * MINUTE_MS
const WATCH_MS = 8 * 24 * 60 * MINUTE_MS
const SETTLED_ROUNDS = 4

const prices: Record<string, string> = {
  usdc: '1',
  usdt: '1',
  pol: '0.5',
  trx: '0.2',
  sol: '150',
  xmr: '160',
  btc: '60000',
}

function fixedRates(clock: () => number): Rates {
  const rateOf = (assetId: string) => ({
    value: prices[assetId.split('/').at(-1)!]!,
    currency: 'USD',
    sources: ['simulation'],
    at: clock(),
  })
  return { latest: async () => rateOf, rate: async assetId => rateOf(assetId), refresh: async () => {} }
}

/** Runs one history with the product's networks, operations, jobs and storage, with a clock of their own. */
export class Simulation {
  readonly #setup: Setup
  readonly #plan: Plan
  readonly #folder: string
  readonly #scene: Scene
  readonly #server: SimulatedServer
  readonly #orders: OpenedOrder[] = []
  #merchantId = ''
  /** by how much the server's clock is behind the time of the chain, in milliseconds */
  #behindMs = 0

  constructor(setup: Setup, folder: string) {
    this.#setup = setup
    this.#plan = plans[setup.family]
    this.#folder = folder
    this.#scene = openScene(
      setup,
      { server: () => this.#server.now, chain: () => this.#server.now + this.#behindMs },
      () => this.#orders.map(({ address }) => address),
    )
    this.#server = new SimulatedServer({
      folder,
      seed: setup.seed,
      quorumAbove: setup.quorumAbove,
      tickMs: this.#plan.tickMs,
      makeNetworks: this.#scene.makeNetworks,
      makeRates: fixedRates,
      answeringMs: this.#scene.answeringMs,
    })
  }

  /** Runs the history. Returns the broken rule; null if there is none. */
  async run({ steps }: History): Promise<string | null> {
    this.#losesSweeps =
      this.#setup.family === 'evm' &&
      steps.some(step => step.do === 'lie' && step.lie === 'omit' && step.times > 1)
    try {
      await this.#server.start()
      await this.#prepare()
      for (const step of steps) await this.#take(step)
      await this.#finish()
      return null
    } catch (error) {
      if (error instanceof Violation) return error.message
      throw error
    } finally {
      await this.#server.stop()
    }
  }

  /** The assets of the payments that buyers could open. */
  get openedAssets(): string[] {
    return this.#orders.map(({ asset }) => asset)
  }

  async #prepare(): Promise<void> {
    const { id } = await createMerchant(this.#server.context, {
      email: 'shop@shop.example',
      name: 'Corner Coffee',
    })
    this.#merchantId = id
    await this.#plan.setUpWallet(this.#server.context, id, this.#setup)
  }

  async #take(step: Step): Promise<void> {
    const { chain, endpoints } = this.#scene
    switch (step.do) {
      case 'open':
        return this.#open(step.order, step.asset)
      case 'wait':
        return this.#server.pass(step.minutes * MINUTE_MS)
      case 'restart':
        return this.#server.restart()
      case 'clock':
        return this.#setClock(step.minutes * MINUTE_MS)
      case 'reorganise':
        this.#server.mayLosePayments ||= this.#plan.canReplaceFinal
        return chain.reorganise(this.#plan.depthOf(step.depth), step.loses)
      case 'lie': {
        const endpoint = endpoints[step.endpoint]!
        if (step.lie === 'honest') return endpoint.endAll()
        return endpoint.lie({ name: step.lie, times: step.times, amount: step.amount })
      }
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
        // Few buyers pay in another asset than they were asked for.
        const [first] = assets as [Asset, ...Asset[]]
        const isOther = step.asset === 0 && first.id !== asset && this.#plan.canFind(first.id, this.#setup)
        const paid = isOther ? first.id : asset
        // On some chains, an account must hold a minimum of another asset to exist.
        const least = isOther ? first.minimum : 1n
        const isInternal = this.#plan.hasInternalTransfers && paid === this.#plan.coin && step.asset === 1
        const kind = isInternal ? 'internal' : 'payment'
        chain.add({ to, asset: paid, amount: (due * BigInt(step.percent)) / 100n + least, kind })
        return
      }
      case 'visit':
        return this.#visit(order)
      case 'expect':
        return this.#expect(order)
      case 'sweep':
        return this.#sweep(order)
      case 'disturb':
        return this.#disturb(order, step.lie, step.amount)
    }
  }

  async #open(number: number, assetIndex: number): Promise<void> {
    const { assets } = this.#scene
    const asset = assets[assetIndex % assets.length]!
    const { order } = await createOrder(this.#server.context, this.#merchantId, {
      amount: `${15 + number * 5}.00`,
      currency: 'USD',
      paymentMethodsKeys: ['crypto'],
      customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' },
    })
    try {
      await openCryptoAttempt(this.#server.context, order.id, asset.id)
      const [attempt] = await this.#server.context.storage.read(tables => tables.attempts.listOf(order.id))
      assert(attempt, 'a payment is open')
      this.#orders.push({
        number,
        id: order.id,
        attemptId: attempt.id,
        address: this.#plan.spell(attempt.address!),
        asset: attempt.assetId,
        due: attempt.dueAtomic,
        worth: (other, amount) => this.#worth(other, amount, asset),
        lockedUntil: attempt.lockedUntil + this.#behindMs,
        isFlooded: false,
      })
    } catch (error) {
      // A lying endpoint may make the opening of the payment fail. The buyer then sees an error, and pays
      // nothing.
      if (!(error instanceof Refusal || error instanceof NetworkError)) throw this.#bug('opening', error)
    }
  }

  /** The value of an amount of one asset in another asset. */
  #worth(from: string, amount: bigint, to: Asset): bigint {
    const decimals = this.#scene.assets.find(({ id }) => id === from)!.decimals
    const cents = (id: string) => BigInt(Number(prices[id.split('/').at(-1)!]) * 100)
    return (amount * cents(from) * 10n ** BigInt(to.decimals)) / (cents(to.id) * 10n ** BigInt(decimals))
  }

  async #visit({ id, number }: OpenedOrder): Promise<void> {
    this.#server.now += 6000
    try {
      await checkNow(this.#server.context, await loadCheckout(this.#server.context, id), 'page')
    } catch (error) {
      throw this.#bug(`the page of order ${number}`, error)
    }
    await this.#server.settle()
  }

  #setClock(ms: number): void {
    this.#server.now += ms
    this.#behindMs -= ms
  }

  #expect({ attemptId, number }: OpenedOrder): void {
    const isKnown = readRows(this.#folder).payments.some(({ attempt_id }) => attempt_id === attemptId)
    if (!isKnown) throw new Violation(`the payment of order ${number} is not known yet`)
  }

  #bug(where: string, error: unknown): Violation {
    return new Violation(
      `${where} fails: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`,
    )
  }

  /** true if endpoints omit all logs: a payment that was swept meanwhile can then not be found */
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

  /** The owner of an account can spend, so its balance proves nothing, and only the log shows the amount. */
  #payWithFee({ address: to, asset, due }: OpenedOrder, percent: number): void {
    const { chain, assets } = this.#scene
    const takesFee = assets.some(({ id, contract }) => id === asset && contract !== null)
    const credited = takesFee && !this.#setup.hasAccount ? due - (due * BigInt(percent)) / 100n : due
    chain.add({ to, asset, amount: due, credited, kind: 'payment' })
  }

  /** From now on, only endpoints with endless lies lie. The server must find everything that arrived. */
  async #finish(): Promise<void> {
    for (const endpoint of this.#scene.endpoints) endpoint.becomeHonest()
    await this.#server.pass(HONEST_MS)
    this.#require(checkOrders(this.#scene.chain, this.#orders, readRows(this.#folder)))
    this.#server.now += WATCH_MS
    for (let round = 0; round < SETTLED_ROUNDS; round++) {
      this.#server.now += 61 * MINUTE_MS
      await this.#server.settle()
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
