import type { Rates } from '../../src/rates/port.ts'
import { makeRates } from '../../src/rates/rates.ts'
import { rateSources } from '../../src/settings/rate-sources.ts'
import type { Random } from './random.ts'
import { MINUTE_MS } from './server.ts'

/** The behaviour of a source of prices: current prices, no answer, old prices, or false ones. */
const moods = ['honest', 'away', 'stale', 'false'] as const
export type Mood = (typeof moods)[number]

/**
 * The number of sources. The server trusts two sources that agree, so only the last one reports false prices.
 */
const SOURCES = 3
/**
 * The longest time between a price and its use, and between a payment and the price at which it is valued.
 */
const OLDEST_MS = 5 * MINUTE_MS
const NEAREST_MS = 10 * MINUTE_MS
/**
 * The bounds of the used price, in percent of the lowest one: sources may differ by 2 %, and the mean of two
 * is used.
 */
const NEAR = [100n, 102n] as const
const FALSE_FACTOR = 7n
/** Prices are in millionths of a dollar. */
export const PRICE_UNIT = 10n ** 6n

interface Price {
  at: number
  /** in millionths of a dollar, by ticker */
  prices: Record<string, bigint>
}

interface Range {
  low: bigint
  high: bigint
}

/** The changing prices of coins, at sources that fail, repeat old prices or contradict each other. */
export class Market {
  readonly #history: Price[]
  readonly #moods: { at: number; source: number; mood: Mood }[] = []

  constructor(prices: Record<string, bigint>) {
    this.#history = [{ at: 0, prices }]
  }

  move(ticker: string, percent: number, at: number): void {
    const { prices } = this.#history.at(-1)!
    this.#history.push({ at, prices: { ...prices, [ticker]: (prices[ticker]! * BigInt(percent)) / 100n } })
  }

  turn(source: number, mood: Mood, at: number): void {
    this.#moods.push({ at, source, mood })
  }

  makeRates(now: () => number): Rates {
    const names = Array.from({ length: SOURCES }, (_, source) => `source-${source}.example`)
    return makeRates({
      sources: rateSources(names.map(name => `https://${name}/rates`).join()),
      fetch: async url => this.#answer(names.indexOf(new URL(url).host), now()),
      readFile: () => Promise.reject(new Error('no file is expected here')),
      now,
      assets: [],
      baseUrls: { kraken: '', coinbase: '', binance: '', coingecko: '' },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    })
  }

  /** The prices at which a coin can be quoted at a time. */
  quotedAt(ticker: string, at: number): Range {
    return this.#between(ticker, at - OLDEST_MS, at)
  }

  /** The prices at which a payment of this time can be valued; `low` is 0 if there may be no price. */
  valuedAt(ticker: string, at: number): Range {
    const [from, to] = [at - NEAREST_MS - OLDEST_MS, at + NEAREST_MS]
    const range = this.#between(ticker, from, to)
    const isSure = this.#moods.every((turn, index) => {
      const next = this.#moods.slice(index + 1).find(({ source }) => source === turn.source)
      return turn.mood === 'honest' || turn.at > to || (next !== undefined && next.at < from)
    })
    return isSure ? range : { ...range, low: 0n }
  }

  #between(ticker: string, from: number, to: number): Range {
    const found = this.#history
      .filter(({ at }, index) => at <= to && (this.#history[index + 1]?.at ?? to) >= from)
      .map(({ prices }) => prices[ticker]!)
    const sorted = found.toSorted((one, other) => (one < other ? -1 : 1))
    return { low: (sorted[0]! * NEAR[0]) / NEAR[1], high: (sorted.at(-1)! * NEAR[1]) / NEAR[0] }
  }

  #answer(source: number, now: number): Response {
    const { mood, at } = this.#moods.findLast(turn => turn.source === source) ?? { mood: 'honest', at: 0 }
    if (mood === 'away') return new Response('{}', { status: 503 })
    const time = mood === 'stale' ? at : now
    const { prices } = this.#history.findLast(one => one.at <= time)!
    const factor = mood === 'false' ? FALSE_FACTOR : 1n
    const rows = Object.entries(prices).map(([ticker, price]) => [ticker, { USD: dollars(price * factor) }])
    return Response.json(Object.fromEntries(rows))
  }
}

const dollars = (millionths: bigint): string =>
  `${millionths / PRICE_UNIT}.${(millionths % PRICE_UNIT).toString().padStart(6, '0')}`

/** The value of an amount in minor units of a dollar, at a price in millionths of a dollar. */
export const worth = (atomic: bigint, decimals: number, price: bigint, scale: bigint): bigint =>
  (atomic * price * 100n * scale) / (PRICE_UNIT * 10n ** BigInt(decimals))

export const randomTurn = (random: Random): { source: number; mood: Mood } => {
  const source = random.int(SOURCES)
  return { source, mood: random.pick(source === SOURCES - 1 ? moods : moods.slice(0, 2)) }
}
