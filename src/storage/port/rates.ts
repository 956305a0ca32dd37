import type { Rate } from '../../domain/quote.ts'

/** The stored rate of a coin for one minute. */
export interface KeptRate extends Rate {
  assetId: string
}

/** An asset and a currency. */
interface RatePair {
  assetId: string
  currency: string
}

/** A pair whose rates are stored. */
export interface WatchedPair extends RatePair {
  /** end of the last watch, until which a rate may be needed */
  until: number
  /** end of the last quoted amount, until which buyers see its rate */
  lockedUntil: number
}

/** The last response of a rate source. */
export interface FetchedRatesRow {
  /** hash of the source and the requested coins */
  source: string
  /** null, like `fetchedAt`, until the source first answered */
  prices: string | null
  fetchedAt: number | null
  /** time until which no other server asks the source */
  askedUntil: number
}

/** Shared responses of rate sources, for servers with a common database. */
export interface FetchedRates {
  find(source: string): Promise<FetchedRatesRow | null>
  /** Inserts or replaces the response of a source. */
  put(row: FetchedRatesRow): Promise<void>
}

/** Rates of the last days, which are used to value late payments. */
export interface RateHistory {
  /** Stores the rates of a pair from now on. Never shortens times that were set before. */
  watch(pair: WatchedPair): Promise<void>
  /** Lists the pairs whose rates must be stored now. */
  watched(now: number): Promise<WatchedPair[]>
  /** Stores a rate, unless there is one for the same asset, currency and minute. */
  keep(rate: KeptRate): Promise<void>
  /**
   * Finds the stored rate nearest to a time; the earlier one if two are equally near. Null if there is none
   * within `range` milliseconds.
   */
  nearest(pair: RatePair, at: number, range: number): Promise<KeptRate | null>
  /** Time of the oldest stored rate; null if there is none. */
  oldest(): Promise<number | null>
  /** Deletes rates before a time. */
  prune(before: number): Promise<void>
}
