import { type Amount, minorOf, total } from './money.ts'
import type { Order } from './order.ts'

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

/** Returns true for an amount that was taken back before its order was paid, and did not pay for it. */
export const isBeforePayment = ({ paidAt }: Pick<Order, 'paidAt'>, { createdAt }: Reversal): boolean =>
  paidAt !== null && createdAt < paidAt

/** The sum of reversals whose money the merchant lost or may lose, in minor units of their currency. */
export const takenBack = (reversals: readonly Reversal[]): bigint =>
  total(
    reversals
      .filter(({ status }) => status !== 'failed')
      .map(({ amount, currency }) => minorOf(amount, currency)),
  )

/** Reduces the payments of a charge by the amount that was taken back of them, the oldest payment first. */
export function lessTakenBack<Payment extends { amountAtomic: bigint }>(
  payments: readonly Payment[],
  back: bigint,
): readonly Payment[] {
  let rest = back
  return payments.map(payment => {
    const less = rest < payment.amountAtomic ? rest : payment.amountAtomic
    rest -= less
    return less === 0n ? payment : { ...payment, amountAtomic: payment.amountAtomic - less }
  })
}
