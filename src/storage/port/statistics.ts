import type { MethodSums, PaidWith, Sums } from '../../domain/statistics.ts'

/** Sums of orders. Ranges start and end at a quarter hour in UTC; the end does not belong to a range. */
export interface StatisticsTable {
  /**
   * Adds to the sums of the time at which something happened. Sums of payments also count by what was paid
   * with.
   */
  add(
    merchantId: string,
    at: number,
    currency: string,
    delta: Partial<Sums>,
    paidWith?: PaidWith,
  ): Promise<void>
  /** The currencies in which a merchant has had orders. */
  listCurrencies(merchantId: string): Promise<string[]>
  /** The sums from each boundary until the next one. */
  listSums(merchantId: string, currency: string, boundaries: readonly number[]): Promise<Sums[]>
  /** The sums of each method and asset that has any. */
  listMethodSums(merchantId: string, currency: string, from: number, to: number): Promise<MethodSums[]>
}
