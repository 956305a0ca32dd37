import type { MethodSums, PaidWith, Sums } from '../../domain/statistics.ts'

/** Sums of orders over time. Ranges start and end at quarter hours in UTC; the end is exclusive. */
export interface StatisticsTable {
  /**
   * Adds to the sums at the time of an event. Sums of payments are also added per method and asset. Test
   * orders have no statistics.
   */
  add(
    merchantId: string,
    at: number,
    currency: string,
    delta: Partial<Sums>,
    paidWith?: PaidWith,
  ): Promise<void>
  /** Lists the currencies in which a merchant has had orders. */
  listCurrencies(merchantId: string): Promise<string[]>
  /** Lists the sums between each boundary and the next one. */
  listSums(merchantId: string, currency: string, boundaries: readonly number[]): Promise<Sums[]>
  /** Lists the sums per method and asset; combinations without payments are left out. */
  listMethodSums(merchantId: string, currency: string, from: number, to: number): Promise<MethodSums[]>
}
