import type { Rate } from '../domain/quote.ts'

export interface Rates {
  /**
   * Price of a coin in a currency; null if there is no fresh rate. Concurrent calls share a request. With
   * `once`, `refresh` does not keep the rates fresh for later calls.
   */
  rate(assetId: string, currency: string, once?: boolean): Promise<Rate | null>
  /** Fetches the rates again if one was used recently. Never throws. */
  refresh(): Promise<void>
}
