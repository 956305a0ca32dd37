import type { Rate } from '../../domain/quote.ts'

/** The rate of a coin at one minute. */
export interface KeptRate extends Rate {
  assetId: string
}

/** An asset and a currency whose rates are kept. */
export interface RatePair {
  assetId: string
  currency: string
}

/** The rates of the last days, by which late payments are valued. */
export interface RateHistory {
  /** Keeps the rates of a pair until a time. A later time that was given before stays. */
  watch(pair: RatePair, until: number): Promise<void>
  /** The pairs whose rates are to be kept now. */
  watched(now: number): Promise<RatePair[]>
  /** Stores a rate, unless one is stored for the same asset, currency and minute. */
  keep(rate: KeptRate): Promise<void>
  /** The rate nearest to a time, the earlier of two; null if none is within `range` milliseconds of it. */
  nearest(pair: RatePair, at: number, range: number): Promise<KeptRate | null>
  /** When the oldest stored rate is from; null if none is stored. */
  oldest(): Promise<number | null>
  /** Deletes the rates before a time, and the pairs that are no longer watched. */
  prune(before: number, now: number): Promise<void>
}
