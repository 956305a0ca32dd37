import type { Rate } from '../domain/quote.ts'

/** Price of a coin in a currency; null if there is no fresh rate. */
export type RateOf = (assetId: string, currency: string) => Rate | null

export interface Rates {
  /**
   * The current prices. Concurrent calls share a request. With `once`, `refresh` does not keep the rates
   * fresh for later calls.
   */
  latest(once?: boolean): Promise<RateOf>
  /** The current price of one asset in one currency. */
  rate(assetId: string, currency: string, once?: boolean): Promise<Rate | null>
  /** Fetches the rates again if one was used recently. Never throws. */
  refresh(): Promise<void>
}
