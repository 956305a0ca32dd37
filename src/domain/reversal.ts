import type { Amount } from './money.ts'

export type ReversalKind = 'refund' | 'dispute'

/**
 * `asked`: the provider has not answered yet. `pending`: the provider decides later, or a dispute is open.
 * `succeeded`: the merchant has lost the money. `failed`: the merchant keeps the money; a dispute was won.
 */
export type ReversalStatus = 'asked' | 'pending' | 'succeeded' | 'failed'

/**
 * Money of a charge that a provider takes back: by a refund, or by a dispute of the buyer with their bank.
 */
export interface Reversal {
  /** for a refund that Florin asked for: the ID of its record; for others: the provider and its reference */
  id: string
  merchantId: string
  orderId: string
  attemptId: string
  provider: string
  /** the provider's ID; null until it is known */
  reference: string | null
  kind: ReversalKind
  status: ReversalStatus
  amount: Amount
  currency: string
  /** ID of the record of a refund; null until there is one */
  refundId: string | null
  /** for a refund that Florin asked for: its idempotency key, its reason, and who asked */
  idempotencyKey: string | null
  reason: string | null
  createdBy: string | null
  createdAt: number
  updatedAt: number
}
