import type { PriceFact, PriceSourceFact } from '../facts.ts'
import { between, placesOf, type Range, type Ratio, ratio, tenTo, times } from './exact.ts'

const MINUTE_MS = 60_000
/** A price that a source told longer ago is not used. */
const OLDEST_MS = 5 * MINUTE_MS
/** A late payment is valued at a price that was kept at most this long before or after its block. */
const NEAREST_MS = 10 * MINUTE_MS
/** Two sources agree if they differ by this much, so the mean of an honest and another one is this near. */
const AGREE = [102n, 100n] as const
const MICROS = 1_000_000n

interface Moved {
  at: number
  micros: bigint
}

/** Prices of coins in dollars, and how sure the server can be of them. */
export class Prices {
  readonly #moves = new Map<string, Moved[]>()
  readonly #moods: PriceSourceFact[] = []

  note(fact: PriceFact | PriceSourceFact): void {
    if (fact.fact === 'price-source') this.#moods.push(fact)
    else this.#moves.set(fact.ticker, [...(this.#moves.get(fact.ticker) ?? []), fact])
  }

  /** tenths of a unit of each currency for a dollar */
  crossTenths: Record<string, bigint> = { USD: 10n }

  /** The smallest units of a currency for a dollar. */
  perDollar(currency: string): Ratio {
    return ratio((this.crossTenths[currency] ?? 0n) * tenTo(placesOf(currency)), 10n)
  }

  /** The prices that a quote of this time can have, in the smallest unit of a currency. */
  quotedAt(ticker: string, currency: string, at: number): Range | null {
    return this.#inCurrency(this.#between(ticker, at - OLDEST_MS, at), currency)
  }

  #inCurrency(dollars: Range | null, currency: string): Range | null {
    if (dollars === null) return null
    const unit = this.perDollar(currency)
    return between(times(dollars.least, unit), times(dollars.most, unit))
  }

  /**
   * The prices that can value a payment of this time. The least is 0 where none may have been kept: sources that
   * stood still or were away, or a clock that jumped (`skewMs` is the farthest that it ever was off).
   */
  valuedAt(ticker: string, currency: string, at: number, skewMs: number): Range | null {
    const [from, to] = [at - NEAREST_MS - OLDEST_MS - skewMs, at + NEAREST_MS + skewMs]
    const range = this.#inCurrency(this.#between(ticker, from, to), currency)
    if (range === null) return null
    const isSure = skewMs === 0 && this.#liars(from, to) < 2
    return isSure ? range : between(ratio(0n), range.most)
  }

  /** How many of the three sources were not honest at some time of this stretch. */
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
    // Where sources stand still, an older price may still be told: since when they do is not narrowed down.
    const liars = this.#liars(from, to)
    const since = liars >= 2 ? 0 : from
    const told = moves.filter(({ at }, index) => at <= to && (moves[index + 1]?.at ?? Infinity) >= since)
    if (told.length === 0) return null
    const prices = told.map(({ micros }) => micros)
    const [low, high] = [prices.reduce(least), prices.reduce(most)]
    // Of three prices of which two are honest, the middle one lies between those two.
    if (liars < 2) return between(ratio(low, MICROS), ratio(high, MICROS))
    const [more, less] = AGREE
    return between(ratio(low * less, MICROS * more), ratio(high * more, MICROS * less))
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** What an amount of a coin is worth at a price. */
export const valueAt = (atomic: bigint, decimals: number, price: Range): Range => {
  const worth = (one: Ratio) => ratio(atomic * one.over, one.under * tenTo(decimals))
  return between(worth(price.least), worth(price.most))
}
