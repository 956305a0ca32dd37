/**
 * What one merchant's day amounts to in one currency. An order's amount is pending on the day of its
 * creation, until it is paid, cancelled, expired or failed; gross, net and the other sums fall on the day
 * when they happen.
 */
export interface Statistics {
  merchantId: string
  day: string
  currency: string
  pending: bigint
  gross: bigint
  net: bigint
  refunded: bigint
  cancelled: bigint
  forced: bigint
  pendingCount: number
  paidCount: number
  refundedCount: number
  cancelledCount: number
  forcedCount: number
}

export type StatisticsDelta = Partial<Omit<Statistics, 'merchantId' | 'day' | 'currency'>>

export const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)
