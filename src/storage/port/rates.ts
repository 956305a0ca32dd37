import type { Rate } from '../../domain/quote.ts'

/** The rate of a coin at one minute. */
export interface KeptRate extends Rate {
  assetId: string
}

/** An asset and a currency whose rates are kept. */
interface RatePair {
  assetId: string
  currency: string
}

/** A pair whose rates are kept. */
export interface WatchedPair extends RatePair {
  /** until when a rate may be needed: the end of the last watch */
  until: number
  /** until when buyers see its rate: the end of the last lock */
  lockedUntil: number
}

/** What a source of rates last said. */
export interface FetchedRatesRow {
  /** a hash of the source and of the coins that were asked for */
  source: string
  /** null until the source first answered, like `fetchedAt` */
  prices: string | null
  fetchedAt: number | null
  /** until when no other server asks */
  askedUntil: number
}

/** For servers that share a database. */
export interface FetchedRates {
  find(source: string): Promise<FetchedRatesRow | null>
  /** Inserts or replaces what is known of a source. */
  put(row: FetchedRatesRow): Promise<void>
}

/** The rates of the last days, by which late payments are valued. */
export interface RateHistory {
  /** Keeps the rates of a pair until a time. Later times that were given before stay, as does the pair. */
  watch(pair: WatchedPair): Promise<void>
  /** The pairs whose rates are to be kept now. */
  watched(now: number): Promise<WatchedPair[]>
  /** Stores a rate, unless one is stored for the same asset, currency and minute. */
  keep(rate: KeptRate): Promise<void>
  /** The rate nearest to a time, the earlier of two; null if none is within `range` milliseconds of it. */
  nearest(pair: RatePair, at: number, range: number): Promise<KeptRate | null>
  /** When the oldest stored rate is from; null if none is stored. */
  oldest(): Promise<number | null>
  /** Deletes the rates before a time. */
  prune(before: number): Promise<void>
}
