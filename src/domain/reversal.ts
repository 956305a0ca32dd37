import type { Amount } from './money.ts'

export type ReversalKind = 'refund' | 'dispute'

/**
 * `asked`: the provider has not answered yet. `pending`: it decides later; a dispute is open. `succeeded`:
 * the money is gone. `failed`: it stays; a dispute was won.
 */
export type ReversalStatus = 'asked' | 'pending' | 'succeeded' | 'failed'

/** Money that a provider takes back of a charge: a refund, or a dispute of the buyer with their bank. */
export interface Reversal {
  /** of a refund that Florin asked for: the ID of its record; of others: the provider and its reference */
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
  /** the record of a refund, once there is one */
  refundId: string | null
  /** of a refund that Florin asked for: its idempotency key, its reason, and who asked */
  idempotencyKey: string | null
  reason: string | null
  createdBy: string | null
  createdAt: number
  updatedAt: number
}
