import { makeLooks } from '../../src/coins/look.ts'
import { registry } from '../../src/coins/registry.ts'
import type { AddressAttempt } from '../../src/domain/attempt.ts'
import { askedMinor, leftMinor } from '../../src/domain/attempt.ts'
import { assert, Refusal } from '../../src/domain/errors.ts'
import { toUnits } from '../../src/domain/money.ts'
import { quoteStep } from '../../src/domain/quote.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { createOrder } from '../../src/operations/orders/create.ts'
import { checkNow } from '../../src/operations/payments/check-now.ts'
import { type Checkout, loadCheckout } from '../../src/operations/payments/load-checkout.ts'
import { openCryptoAttempt } from '../../src/operations/payments/open-crypto.ts'
import { currentOf } from '../../src/present/attempt.ts'
import { presentCrypto } from '../../src/present/crypto.ts'
import { databaseFile } from '../../src/storage/sqlite/open.ts'
import { english } from '../../views/locale.ts'
import { audit } from '../support/auditor.ts'
import { spentBy } from './chain.ts'
import { readRows } from './database.ts'
import { Market } from './market.ts'
import { checkPayments } from './model.ts'
import { type Plan, plans } from './plans.ts'
import type { PriceHistory, PriceStep } from './price-history.ts'
import {
  type Bounds,
  boundsOf,
  creditProblem,
  type Ending,
  inCents,
  quoted,
  quoteProblem,
  type Sent,
  termsOf,
} from './price-model.ts'
import { openScene, type Scene } from './scene.ts'
import { MINUTE_MS, SimulatedServer, Violation } from './server.ts'

/** The prices at the beginning, in millionths of a dollar. */
const prices = { btc: 60_000_000_000n, usdc: 1_000_000n, usdt: 1_000_000n, pol: 500_000n }
/** A check finds payments that have been final for this time. */
const SETTLED_MS = MINUTE_MS / 2
/** The shortest time between two checks of a payment. */
const LOOK_MS = 6000
/**
 * After the end of its lock, an attempt is scanned within an hour. The scan settles what is final by then.
 */
const FOUND_MS = 150 * MINUTE_MS
const WATCH_MS = 8 * 24 * 60 * MINUTE_MS
const look = makeLooks(registry)

/** Amounts that were sent, by the number of the step. */
export type Amounts = Map<number, bigint>

/** Runs the history of one order while the prices of its coins move. */
export class PriceWalk {
  readonly #history: PriceHistory
  readonly #folder: string
  readonly #plan: Plan
  readonly #scene: Scene
  readonly #market = new Market(prices)
  readonly #server: SimulatedServer
  readonly #sent: Sent[] = []
  readonly #terms = new Map<string, string>()
  /** the amounts to send, so that a run without checks by pages sends the same */
  readonly #given: Amounts | null
  readonly amounts: Amounts = new Map()
  #orderId = ''

  constructor(history: PriceHistory, folder: string, given: Amounts | null = null) {
    const { family, seed } = history.setup
    this.#history = history
    this.#folder = folder
    this.#given = given
    this.#plan = plans[family]
    const chain = { family, seed, finalityLag: 5, quorumAbove: null, interfaces: [] }
    const setup = { ...chain, endpoints: 1, hasAccount: family === 'bitcoin' }
    const clock = () => this.#server.now
    this.#scene = openScene(setup, { server: clock, chain: clock }, () => [])
    this.#server = new SimulatedServer({
      ...{ seed, folder, quorumAbove: null, tickMs: Math.max(this.#plan.tickMs, MINUTE_MS) },
      makeNetworks: this.#scene.makeNetworks,
      makeRates: now => this.#market.makeRates(now),
      answeringMs: this.#scene.answeringMs,
    })
    this.#setup = setup
  }

  readonly #setup: Parameters<Plan['setUpWallet']>[2]

  /**
   * Runs the history. Returns the order's final state and the bounds of the payments' values. Throws a
   * Violation if a rule is broken.
   */
  async run(): Promise<{ ending: Ending; bounds: Bounds[] }> {
    const { context } = this.#server
    try {
      await this.#server.start()
      const { id } = await createMerchant(context, { email: 'shop@shop.example', name: 'Corner Coffee' })
      await this.#plan.setUpWallet(context, id, this.#setup)
      const refresh = { kind: 'rates.refresh', subject: 'all', lane: 'rates' } as const
      await context.storage.write(tables => tables.jobs.schedule({ ...refresh, dueAt: context.clock() }))
      const { order } = await createOrder(context, id, {
        amount: this.#history.setup.amount,
        currency: 'USD',
        paymentMethodsKeys: ['crypto'],
        customer: { email: 'buyer@example.com', fullName: 'Sam Buyer' },
      })
      this.#orderId = order.id
      for (const [number, step] of this.#history.steps.entries()) await this.#take(number, step)
      return await this.#finish()
    } finally {
      await this.#server.stop()
    }
  }

  #load(): Promise<Checkout> {
    return loadCheckout(this.#server.context, this.#orderId)
  }

  async #take(number: number, step: PriceStep): Promise<void> {
    const { now } = this.#server
    switch (step.do) {
      case 'choose':
        return this.#choose(step.coin)
      case 'wait':
        return this.#server.pass(step.minutes * MINUTE_MS)
      case 'price':
        return this.#market.move(this.#coin(step.coin), step.percent, now)
      case 'source':
        return this.#market.turn(step.source, step.mood, now)
      case 'look':
        this.#server.now += LOOK_MS
        return this.#given ? undefined : this.#look()
      case 'mine':
        return this.#mine()
      case 'pay':
        return this.#pay(number, step)
      case 'replace':
        return this.#replace(number, step.percent)
    }
  }

  #asset(coin: number) {
    const { assets } = this.#scene
    return assets[coin % assets.length]!
  }

  #coin = (coin: number): string => this.#asset(coin).ticker.toLowerCase()

  /** Opening the page checks the payments before the buyer can choose a coin. */
  async #choose(coin: number): Promise<void> {
    this.#server.now += LOOK_MS
    await this.#look()
    const before = await this.#load()
    const asset = this.#asset(coin)
    try {
      await openCryptoAttempt(this.#server.context, this.#orderId, asset.id)
    } catch (error) {
      if (error instanceof Refusal) return
      throw error
    }
    const after = await this.#load()
    const { order, attempts } = after
    if (askedMinor(order, attempts) === 0n) return
    const shown = currentOf(order, attempts, attempts)
    this.#hold(shown?.assetId === asset.id, `${asset.id} was chosen, and the page shows ${shown?.assetId}`)
    if (attempts.length === before.attempts.length) return
    const opened = attempts.at(-1) as AddressAttempt
    const problem = quoteProblem(opened, quoteStep(asset), this.#market)
    this.#hold(problem === null, `${problem}`)
    this.#hold(
      inCents(opened.priced) === inCents('0.01') * leftMinor(before.order, before.attempts),
      `a payment of ${opened.priced} USD is opened`,
    )
    this.#checkPage(after)
  }

  #hold(holds: boolean, problem: string): void {
    if (!holds) throw new Violation(problem)
  }

  async #look(): Promise<void> {
    const checkout = await this.#load()
    await checkNow(this.#server.context, checkout, 'demand')
    await this.#server.settle()
    this.#checkPage(await this.#load())
  }

  /** The amount of one payment that a page asks for, atomic; null if it asks for nothing. */
  #askedOf(checkout: Checkout, attempt: AddressAttempt): bigint | null {
    const { networks } = this.#server.context
    const part = presentCrypto(english, checkout, attempt, {
      now: this.#server.now,
      blindSince: () => null,
      isAddressUnread: () => false,
      remainingUri: () => '',
      faucetUrl: () => null,
      qr: 'address',
      walletScript: '',
      asset: id => networks.asset(id),
      look,
      isSandbox: false,
    })
    if (part.kind !== 'crypto' || !part.isAsked) return null
    return toUnits(part.remaining ?? part.amount, attempt.decimals)
  }

  /** No page asks for more than the rest of the order, at the price of its own payment. */
  #checkPage(checkout: Checkout): void {
    const { order, attempts } = checkout
    const now = this.#server.now
    const known = this.#sent.filter(
      ({ transfer: { height }, hiddenUntil }) =>
        this.#scene.chain.timeOf(height) < now - SETTLED_MS && hiddenUntil < now - SETTLED_MS,
    )
    const low = known.reduce((sum, one) => sum + this.#boundsOf(one).low, 0n)
    const price = inCents(order.amount)
    const left = price > low ? price - low : 0n
    for (const attempt of attempts as AddressAttempt[]) {
      const terms = this.#terms.get(attempt.id) ?? termsOf(attempt)
      this.#terms.set(attempt.id, terms)
      this.#hold(termsOf(attempt) === terms, `the terms of ${terms} become ${termsOf(attempt)}`)
      if (order.status !== 'UNPAID') continue
      const asked = this.#askedOf(checkout, attempt)
      if (asked === null || asked <= 1n) continue
      this.#hold(
        quoted(attempt, asked - 1n) <= left + inCents('0.01'),
        `${asked} ${attempt.assetId} are asked for, of ${attempt.dueAtomic} for ${attempt.priced} USD`,
      )
    }
  }

  #boundsOf(sent: Sent): Bounds {
    const bounds = boundsOf(sent, this.#scene.chain, this.#market)
    assert(bounds, 'a payment is mined')
    return bounds
  }

  async #pay(number: number, step: Extract<PriceStep, { do: 'pay' }>): Promise<void> {
    const checkout = await this.#load()
    const attempts = checkout.attempts as AddressAttempt[]
    const attempt = attempts[step.attempt % Math.max(1, attempts.length)]
    if (!attempt) return
    const asked = this.#askedOf(checkout, attempt) ?? attempt.dueAtomic
    const amount = this.#amount(number, (asked * BigInt(step.percent)) / 100n, attempt)
    const { chain } = this.#scene
    const to = this.#plan.spell(attempt.address)
    const transfer = chain.add({ to, asset: attempt.assetId, amount, kind: 'payment' })
    if (this.#history.setup.family === 'bitcoin') transfer.spends = spentBy(transfer)
    if (step.waits) transfer.height = Number.POSITIVE_INFINITY
    const now = this.#server.now
    const hiddenUntil = step.waits ? 0 : now + step.hiddenMinutes * MINUTE_MS
    if (hiddenUntil > now) chain.hide(transfer, hiddenUntil)
    this.#sent.push({ attempt, transfer, versions: [{ at: now, amount }], hiddenUntil })
  }

  /** A payment below a hundredth of the amount due is dust. Other histories test dust. */
  #amount(number: number, wanted: bigint, { dueAtomic }: AddressAttempt): bigint {
    const least = dueAtomic / 50n + 1n
    const amount = this.#given?.get(number) ?? (wanted < least ? least : wanted)
    this.amounts.set(number, amount)
    return amount
  }

  get #waiting(): Sent[] {
    return this.#sent.filter(({ transfer }) => transfer.height === Number.POSITIVE_INFINITY)
  }

  #replace(number: number, percent: number): void {
    const sent = this.#waiting.at(-1)
    if (!sent) return
    const { chain } = this.#scene
    const { attempt, transfer } = sent
    const amount = this.#amount(number, (attempt.dueAtomic * BigInt(percent)) / 100n, attempt)
    chain.remove(transfer)
    sent.transfer = chain.add({ ...transfer, amount })
    sent.transfer.height = Number.POSITIVE_INFINITY
    sent.versions.push({ at: this.#server.now, amount })
  }

  #mine(): void {
    const { chain } = this.#scene
    for (const { transfer } of this.#waiting) transfer.height = chain.head + 1
  }

  /** Waits until all payments are mined and found, and all watches have ended. */
  async #finish(): Promise<{ ending: Ending; bounds: Bounds[] }> {
    this.#mine()
    const listedAt = Math.max(this.#server.now, ...this.#sent.map(({ hiddenUntil }) => hiddenUntil))
    await this.#server.pass(listedAt - this.#server.now + FOUND_MS)
    const bounds = this.#sent.map(one => this.#boundsOf(one))
    const { order, attempts } = await this.#load()
    const ending = { status: order.status, amount: order.amount, attempts: attempts as AddressAttempt[] }
    const problem = creditProblem(ending, bounds)
    this.#hold(problem === null, `${problem}`)
    this.#server.now += WATCH_MS
    await this.#server.pass(125 * MINUTE_MS)
    const opened = ending.attempts.map(attempt => ({
      ...{ number: 1, id: order.id, attemptId: attempt.id, address: this.#plan.spell(attempt.address) },
      ...{ asset: attempt.assetId, due: attempt.dueAtomic, lockedUntil: attempt.lockedUntil },
      ...{ worth: () => 0n, isFlooded: false },
    }))
    const [wrong] = [
      ...checkPayments(this.#scene.chain, opened, readRows(this.#folder)),
      ...audit(databaseFile(this.#folder)),
    ]
    this.#hold(wrong === undefined, `${wrong}`)
    return { ending, bounds }
  }
}
