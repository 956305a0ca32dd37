import type { PriceFact, PriceSourceFact } from '../facts.ts'
import { between, placesOf, type Range, type Ratio, ratio, tenTo, times } from './exact.ts'

const MINUTE_MS = 60_000
/** The server uses no price that is older than this. */
const OLDEST_MS = 5 * MINUTE_MS
/** A late payment is valued at a price that was stored at most this long before or after its block. */
const NEAREST_MS = 10 * MINUTE_MS
/** Two sources agree if they differ by at most this much, so their mean is this close to the honest price. */
const AGREE = [102n, 100n] as const
const MICROS = 1_000_000n

interface Moved {
  at: number
  micros: bigint
}

/** The prices of coins in dollars, with the bounds of the prices that the server may use. */
export class Prices {
  readonly #moves = new Map<string, Moved[]>()
  readonly #moods: PriceSourceFact[] = []

  note(fact: PriceFact | PriceSourceFact): void {
    if (fact.fact === 'price-source') this.#moods.push(fact)
    else this.#moves.set(fact.ticker, [...(this.#moves.get(fact.ticker) ?? []), fact])
  }

  /** tenths of a unit of each currency for a dollar */
  crossTenths: Record<string, bigint> = { USD: 10n }

  /** The value of a dollar in the smallest unit of a currency. */
  perDollar(currency: string): Ratio {
    return ratio((this.crossTenths[currency] ?? 0n) * tenTo(placesOf(currency)), 10n)
  }

  /** The prices at which a coin can be quoted at a time, in the smallest unit of a currency. */
  quotedAt(ticker: string, currency: string, at: number): Range | null {
    return this.#inCurrency(this.#between(ticker, at - OLDEST_MS, at), currency)
  }

  #inCurrency(dollars: Range | null, currency: string): Range | null {
    if (dollars === null) return null
    const unit = this.perDollar(currency)
    return between(times(dollars.least, unit), times(dollars.most, unit))
  }

  /**
   * The prices at which a payment of this time can be valued. The lowest is 0 if the server may have stored
   * none: if sources failed or repeated old prices, or a clock jumped. `skewMs` is the largest deviation of
   * the clock.
   */
  valuedAt(ticker: string, currency: string, at: number, skewMs: number): Range | null {
    const [from, to] = [at - NEAREST_MS - OLDEST_MS - skewMs, at + NEAREST_MS + skewMs]
    const range = this.#inCurrency(this.#between(ticker, from, to), currency)
    if (range === null) return null
    const isSure = skewMs === 0 && this.#liars(from, to) < 2
    return isSure ? range : between(ratio(0n), range.most)
  }

  /** The number of the three sources that were not honest at some time in a period. */
  #liars(from: number, to: number): number {
    return [0, 1, 2].filter(source => {
      const own = this.#moods.filter(one => one.source === source)
      return own.some(
        (turn, index) => turn.mood !== 'honest' && turn.at <= to && (own[index + 1]?.at ?? Infinity) >= from,
      )
    }).length
  }

  #between(ticker: string, from: number, to: number): Range | null {
    const moves = this.#moves.get(ticker) ?? []
    // A source that has stopped updating may report an older price. The model does not narrow down since when
    // it has.
    const liars = this.#liars(from, to)
    const since = liars >= 2 ? 0 : from
    const told = moves.filter(({ at }, index) => at <= to && (moves[index + 1]?.at ?? Infinity) >= since)
    if (told.length === 0) return null
    const prices = told.map(({ micros }) => micros)
    const [low, high] = [prices.reduce(least), prices.reduce(most)]
    // If two of three prices are honest, the median is between these two.
    if (liars < 2) return between(ratio(low, MICROS), ratio(high, MICROS))
    const [more, less] = AGREE
    return between(ratio(low * less, MICROS * more), ratio(high * more, MICROS * less))
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** The value of an amount of a coin at a price. */
export const valueAt = (atomic: bigint, decimals: number, price: Range): Range => {
  const worth = (one: Ratio) => ratio(atomic * one.over, one.under * tenTo(decimals))
  return between(worth(price.least), worth(price.most))
}
