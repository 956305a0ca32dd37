import type { Rate } from '../domain/quote.ts'

export interface Rates {
  /**
   * What one coin costs in a currency; null when no fresh rate is to be had. Concurrent calls share one
   * request.
   */
  rate(assetId: string, currency: string): Promise<Rate | null>
  /** Fetches anew, when somebody asked for a rate of late. Never throws. */
  refresh(): Promise<void>
}
