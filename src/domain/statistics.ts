/**
 * The sums of a merchant for one UTC day and currency, in minor units. The amount of an order is pending on
 * the day the order was created, until it is paid, cancelled, expired or failed. The other sums count on the
 * day they happen.
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
