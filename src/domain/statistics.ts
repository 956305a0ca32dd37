/** Sums are kept by quarter hour and by day, both in UTC. Every time zone is off by whole quarter hours. */
export const QUARTER_HOUR_MS = 900_000
export const DAY_MS = 86_400_000

/** When the quarter hour or day began that a moment belongs to. */
export const startOf = (at: number, ms: number): number => at - (at % ms)

/** What is known of payments by their method and asset. Amounts are in minor units. */
export interface PaymentSums {
  /** the amounts of paid orders */
  gross: bigint
  /** gross without fees and refunds */
  net: bigint
  refunded: bigint
  paidCount: number
  refundedCount: number
}

/**
 * The sums of a merchant in one currency. What is pending, created, converted or deleted counts when the
 * order was created; everything else counts when it happens.
 */
export interface Sums extends PaymentSums {
  /** the amounts of unpaid orders */
  pending: bigint
  cancelled: bigint
  /** the amounts of orders that were marked as paid; gross does not contain them */
  forced: bigint
  pendingCount: number
  createdCount: number
  /** how many of the created orders were paid, or marked as paid, since */
  convertedCount: number
  /** how many of the created orders were deleted since, because nobody paid them */
  deletedCount: number
  cancelledCount: number
  forcedCount: number
}

/** What a payment was paid with. */
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

/** The fees of the server's operator: what gross has and neither net nor the refunds. */
export const feesOf = ({ gross, net, refunded }: PaymentSums): bigint => gross - net - refunded

/** Adds to the sums those of `more`, or subtracts them. What only `more` has is ignored. */
export function addSums<T extends Partial<Sums>>(sums: T, more: Partial<Sums>, sign: 1 | -1 = 1): T {
  const total = sums as Record<string, unknown>
  const added = more as Record<string, unknown>
  // A loop over Object.entries() takes three times as long. What is added often has few sums.
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

/** Whether anything happened that is counted. */
export const hasEvents = (sums: Sums): boolean =>
  Object.values(sums).some(value => typeof value === 'number' && value !== 0)
