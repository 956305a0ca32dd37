/**
 * Sums are stored per quarter hour and per day, both in UTC. Quarter hours fit all time zones, because every
 * offset is a multiple of 15 minutes.
 */
export const QUARTER_HOUR_MS = 900_000
export const DAY_MS = 86_400_000

/** Start of the quarter hour or day that contains a time. */
export const startOf = (at: number, ms: number): number => at - (at % ms)

/** Sums of payments per method and asset, in minor units. */
export interface PaymentSums {
  /** amounts of paid orders */
  gross: bigint
  /** gross less fees and refunds */
  net: bigint
  refunded: bigint
  paidCount: number
  refundedCount: number
}

/**
 * Sums of a merchant in one currency. Pending, created, converted and deleted orders count at their creation;
 * everything else when it happens.
 */
export interface Sums extends PaymentSums {
  /** amounts of unpaid orders */
  pending: bigint
  cancelled: bigint
  /** amounts of orders marked as paid; not part of gross */
  forced: bigint
  pendingCount: number
  createdCount: number
  /** number of the created orders that were since paid or marked as paid */
  convertedCount: number
  /** number of the created orders that were since deleted, because nobody paid them */
  deletedCount: number
  cancelledCount: number
  forcedCount: number
}

export interface PaidWith {
  methodKey: string
  assetId: string
}

export interface MethodSums extends PaidWith, PaymentSums {}

export const noPayments: PaymentSums = { gross: 0n, net: 0n, refunded: 0n, paidCount: 0, refundedCount: 0 }

export const noSums: Sums = {
  ...noPayments,
  pending: 0n,
  cancelled: 0n,
  forced: 0n,
  pendingCount: 0,
  createdCount: 0,
  convertedCount: 0,
  deletedCount: 0,
  cancelledCount: 0,
  forcedCount: 0,
}

/** The operator's fees: gross less net and refunds. */
export const feesOf = ({ gross, net, refunded }: PaymentSums): bigint => gross - net - refunded

/** Adds `more` to the sums, or subtracts it. Ignores fields that only `more` has. */
export function addSums<T extends Partial<Sums>>(sums: T, more: Partial<Sums>, sign: 1 | -1 = 1): T {
  const total = sums as Record<string, unknown>
  const added = more as Record<string, unknown>
  // A for...in loop is three times as fast as Object.entries(), and this runs for every counted event.
  for (const name in added) {
    const before = total[name]
    const value = added[name]
    if (typeof before === 'bigint' && typeof value === 'bigint') {
      total[name] = sign === 1 ? before + value : before - value
    } else if (typeof before === 'number' && typeof value === 'number') {
      total[name] = before + sign * value
    }
  }
  return sums
}

/** True if any count is not zero. */
export const hasEvents = (sums: Sums): boolean =>
  Object.values(sums).some(value => typeof value === 'number' && value !== 0)
