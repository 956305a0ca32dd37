import type {
  AssetFact,
  ChainFact,
  DecisionFact,
  EndpointFact,
  Fact,
  Json,
  OpenedFact,
  ServerFact,
  ShopFact,
  StopFact,
} from '../facts.ts'
import { minorOf, unitsOf } from './exact.ts'
import type { KnownAttempt, KnownOrder, KnownTransfer } from './known.ts'
import { Prices } from './prices.ts'

export type { KnownAttempt, KnownOrder, KnownPage, KnownTransfer } from './known.ts'

/** Everything that has happened in a run, in the form that the rules need. */
export class Book {
  server: ServerFact | null = null
  readonly shops = new Map<number, ShopFact>()
  /** all settings of each shop in turn, oldest first */
  readonly shopHistory = new Map<number, ShopFact[]>()
  readonly orders = new Map<string, KnownOrder>()
  readonly attemptOf = new Map<string, { order: KnownOrder; attempt: KnownAttempt }>()
  readonly transfers = new Map<number, KnownTransfer>()
  readonly prices = new Prices()
  readonly lies: { told: EndpointFact; until: number }[] = []
  readonly stops: StopFact[] = []
  /** orders that changed since they were last checked */
  readonly touched = new Set<KnownOrder>()
  /** all deviations of the server's clock */
  readonly clocks: { at: number; aheadMs: number }[] = [{ at: 0, aheadMs: 0 }]

  get aheadMs(): number {
    return this.clocks.at(-1)!.aheadMs
  }

  /** the time at which the server's clock became right; null while it is wrong */
  #rightFrom: number | null = Number.NEGATIVE_INFINITY

  #noteClock(fact: { at: number; aheadMs: number }): void {
    this.clocks.push(fact)
    this.#rightFrom = fact.aheadMs === 0 ? (this.#rightFrom ?? fact.at) : null
  }

  /** True if the server's clock is right, and was already right at a time. */
  isClockRightSince(time: number): boolean {
    return this.#rightFrom !== null && this.#rightFrom < time
  }

  /**
   * The largest deviation of the server's clock near a period. A time that was stored with a wrong clock is
   * wrong by it, so the period is longer by the largest deviation on both sides.
   */
  skewIn(from: number, to: number): number {
    const most = Math.max(...this.clocks.map(({ aheadMs }) => Math.abs(aheadMs)))
    const own = this.clocks.filter(
      ({ at }, index) => at <= to + most && (this.clocks[index + 1]?.at ?? Infinity) >= from - most,
    )
    return Math.max(...own.map(({ aheadMs }) => Math.abs(aheadMs)))
  }

  assetOf(id: string): AssetFact | undefined {
    return this.server?.assets.find(one => one.id === id)
  }

  chainOf(id: string): ChainFact {
    const found = this.server?.chains.find(one => one.id === id)
    if (!found) throw new Error(`no fact tells of the chain ${id}`)
    return found
  }

  /** Returns the order; adds it if the model does not know it yet. */
  orderOf(id: string, shop: number, at: number): KnownOrder {
    const known = this.orders.get(id)
    if (known) return known
    const number = this.orders.size + 1
    const order: KnownOrder = {
      ...{ id, number, shop, createdAt: at, first: null, last: null, firstOpenedAt: null },
      left: { step: -1, at, minor: null, before: null, beforeAt: at },
      ...{
        attempts: [],
        hasOthers: false,
        transfers: [],
        provider: [],
        cards: [],
        pages: [],
        decisions: [],
        calls: [],
      },
    }
    this.orders.set(id, order)
    return order
  }

  /** True if requests ran at the same time in this step, so that a later answer may show an earlier state. */
  get isCrowded(): boolean {
    return this.#crowdedStep === this.#step
  }

  get step(): number {
    return this.#step
  }

  #step = 0
  #crowdedStep = -1

  passTo(step: number): void {
    this.#step = step
  }

  note(fact: Fact): void {
    this.passTo(fact.step)
    if ((fact.fact === 'call' || fact.fact === 'decision') && fact.together !== null)
      this.#crowdedStep = fact.step
    switch (fact.fact) {
      case 'server':
        this.server = fact
        this.prices.crossTenths = fact.crossTenths
        break
      case 'shop':
        this.shops.set(fact.shop, fact)
        this.shopHistory.set(fact.shop, [...(this.shopHistory.get(fact.shop) ?? []), fact])
        break
      case 'price':
      case 'price-source':
        this.prices.note(fact)
        break
      case 'opened':
        this.#noteOpened(fact)
        this.noteStatus(fact.order, fact.shown, fact.at)
        this.#compare(fact.order)
        break
      case 'endpoint':
        this.#noteEndpoint(fact)
        break
      case 'stop':
        this.stops.push(fact)
        break
      case 'clock':
        this.#noteClock(fact)
        break
      case 'decision':
        this.#noteDecision(fact)
        break
      case 'provider':
        this.#touch(fact.order)?.provider.push(fact)
        break
      case 'card':
        this.#touch(fact.order)?.cards.push(fact)
        break
      case 'transfer':
      case 'mined':
      case 'gone':
        this.#noteTransfer(fact)
        break
      default:
    }
  }

  #touch(id: string | null): KnownOrder | undefined {
    const order = id === null ? undefined : this.orders.get(id)
    if (order) this.touched.add(order)
    return order
  }

  #noteDecision(fact: DecisionFact): void {
    const mayHaveHappened = fact.status === null || (fact.status >= 200 && fact.status < 400)
    if (mayHaveHappened) this.#touch(fact.order)?.decisions.push(fact)
  }

  #noteOpened({ order: id, asset: assetId, at, shown, asked, status }: OpenedFact): void {
    const order = this.#touch(id)
    if (!order) return
    if (status === null || status === 303) order.firstOpenedAt ??= at
    if (asked) order.pages.push(asked)
    // Without an answer, a payment may have been opened. Beside an address for Bitcoin, an invoice is opened.
    const isUnsure = status === null || (status === 303 && !shown)
    if (isUnsure || this.assetOf('lightning')) order.hasOthers = true
    const asset = this.assetOf(shown?.attempt?.assetId ?? assetId)
    if (!shown?.attempt || !asset || order.attempts.some(one => one.address === shown.attempt.address)) return
    const { address, amount, lockedUntil, requiredConfirmations } = shown.attempt
    const attempt: KnownAttempt = {
      ...{ asset, address, openedAt: at, priced: null },
      due: unitsOf(amount, asset.decimals) ?? 0n,
      lockedUntil: Date.parse(lockedUntil),
      isForwarded: requiredConfirmations === null,
    }
    order.attempts.push(attempt)
    // An address of two orders stays with the first one: rule 3d reports it.
    if (!this.attemptOf.has(address)) this.attemptOf.set(address, { order, attempt })
  }

  /** the number of open payments that the newest status of an order showed, until it is compared */
  readonly #shown = new Map<string, number>()

  /**
   * Notes orders whose status shows more open payments than the model knows. Call it after the step: the
   * buyer's request to open a payment is recorded after the status that it leads to.
   */
  noteOthers(): void {
    for (const id of [...this.#shown.keys()]) this.#compare(id)
  }

  #compare(id: string): void {
    const order = this.orders.get(id)
    if (order && (this.#shown.get(id) ?? 0) > order.attempts.length) order.hasOthers = true
    this.#shown.delete(id)
  }

  /** Records the open payments that the status of an order shows. */
  noteStatus(id: string, json: Json | null, at: number): void {
    const order = this.orders.get(id)
    if (!order || !Array.isArray(json?.attempts)) return
    const coins = json.attempts.filter(({ assetId }: Json) => assetId !== undefined)
    this.#shown.set(id, coins.length)
    const { left } = order
    if (left.step !== this.#step)
      Object.assign(left, { step: this.#step, before: left.minor, beforeAt: left.at })
    left.at = at
    left.minor = minorOf(json.left?.amount ?? '', json.left?.currency ?? '')
  }

  #noteTransfer(fact: Extract<Fact, { fact: 'transfer' | 'mined' | 'gone' }>): void {
    if (fact.fact === 'transfer') {
      const found = this.attemptOf.get(fact.to)
      if (!found) return
      const transfer: KnownTransfer = {
        ...{ sent: fact, block: null, gone: null, goneAt: 0, wasFinal: false },
        attempt: found.attempt,
      }
      this.transfers.set(fact.transfer, transfer)
      found.order.transfers.push(transfer)
      this.touched.add(found.order)
      return
    }
    const transfer = this.transfers.get(fact.transfer)
    if (!transfer) return
    if (this.isFinal(transfer, fact.at)) transfer.wasFinal = true
    if (fact.fact === 'mined') transfer.block = fact.block
    else Object.assign(transfer, { gone: fact.why, goneAt: fact.at, block: null })
    this.touched.add(this.attemptOf.get(transfer.sent.to)!.order)
  }

  /** The time when the block of a transfer has enough confirmations; null if the transfer is in no block. */
  finalFrom({ block, sent }: KnownTransfer): number | null {
    if (block === null) return null
    const { blockMs, finalDepth } = this.chainOf(sent.chain)
    return block.time + (finalDepth - 1) * blockMs
  }

  /**
   * True if the transfer was in a block with enough confirmations at this time, even if that was replaced
   * later.
   */
  isFinal(transfer: KnownTransfer, at: number): boolean {
    const from = this.finalFrom(transfer)
    return transfer.wasFinal || (from !== null && from <= at)
  }

  /** Ends the lies that a fact ends: an outage, or all lies that are not endless, even if later ones go on. */
  #endLies({ chain, endpoint, lie, at }: EndpointFact): void {
    for (const one of this.lies) {
      const { told } = one
      const isEnded = told.lie === 'fail' || (lie === 'honest' && told.times !== null)
      if (isEnded && told.chain === chain && told.endpoint === endpoint) one.until = Math.min(one.until, at)
    }
  }

  #noteEndpoint(fact: EndpointFact): void {
    if (fact.lie === 'honest' || fact.lie === 'answers') this.#endLies(fact)
    else this.lies.push({ told: fact, until: Number.POSITIVE_INFINITY })
    const spans = this.#away.get(fact.chain) ?? []
    this.#away.set(fact.chain, spans)
    const open = spans.find(({ until }) => until === Number.POSITIVE_INFINITY)
    const isAway = this.awaySince(fact.chain) !== null
    if (open && !isAway) open.until = fact.at
    if (!open && isAway) spans.push({ from: fact.at, until: Number.POSITIVE_INFINITY })
  }

  /** True if an endpoint of a chain reported something false in one of these ways during a period. */
  wasLiedTo(chain: string, from: number, to: number, isOfKind: (lie: string) => boolean): boolean {
    return this.liarsOf(chain, from, to, isOfKind) > 0
  }

  /** The number of a chain's endpoints that reported something false in one of these ways during a period. */
  liarsOf(chain: string, from: number, to: number, isOfKind: (lie: string) => boolean): number {
    const own = this.lies.filter(
      ({ told, until }) => told.chain === chain && told.at <= to && until >= from && isOfKind(told.lie),
    )
    return new Set(own.map(({ told }) => told.endpoint)).size
  }

  /** The number of a chain's endpoints that can list payments in an asset and have no endless lie. */
  honestEndpointsOf({ chain, contract }: AssetFact): number {
    const endless = this.lies.filter(
      ({ told, until }) => told.chain === chain && told.times === null && until === Number.POSITIVE_INFINITY,
    )
    const { endpoints, withoutCoin = [] } = this.chainOf(chain)
    const useless = new Set([
      ...endless.map(({ told }) => told.endpoint),
      ...(contract === null ? withoutCoin : []),
    ])
    return endpoints - useless.size
  }

  /** the periods in which no endpoint of a chain answered, by chain */
  readonly #away = new Map<string, { from: number; until: number }[]>()

  /** The first period, begun in a time, in which no endpoint of a chain answered; null if there is none, or it lasts. */
  awayIn(chain: string, from: number, to: number): { from: number; until: number } | null {
    const found = this.#away.get(chain)?.find(span => span.from >= from && span.from < to)
    return found && found.until < Number.POSITIVE_INFINITY ? found : null
  }

  /** The time since when all endpoints of a chain have an endless outage; null if one may answer. */
  awaySince(chain: string): number | null {
    const silent = this.lies.filter(
      ({ told, until }) =>
        told.chain === chain &&
        told.times === null &&
        until === Number.POSITIVE_INFINITY &&
        /^(?:fail|hang|page|throttle)$/.test(told.lie),
    )
    const away = [...Map.groupBy(silent, ({ told }) => told.endpoint).values()].map(([first]) => first!.told)
    return away.length < this.chainOf(chain).endpoints ? null : Math.max(...away.map(({ at }) => at))
  }

  shopById(id: string): ShopFact | undefined {
    return [...this.shops.values()].find(one => one.id === id)
  }
}

/** The price of an order in the smallest unit of its currency; null until the model knows it. */
export const placedPrice = ({ first }: KnownOrder): bigint | null =>
  first ? minorOf(first.amount, first.currency) : null
