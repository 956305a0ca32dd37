import type { Json } from './metadata.ts'

export type IncomingPaymentState = 'seen' | 'final' | 'gone'

/**
 * How much of a payment was known at a time. The first one is at its `paidAt`, the last one has its amount.
 */
export interface SeenAmount {
  at: number
  /** an integer */
  atomic: string
}

/** One payment that arrived for an attempt. */
export interface IncomingPayment {
  id: string
  attemptId: string
  orderId: string
  merchantId: string
  /** the chain, or the provider that reported it */
  source: string
  txId: string
  txIndex: string
  /** what arrived, which may be another asset than the attempt asked for */
  assetId: string
  /** atomic, in the decimals of the attempt's asset */
  amountAtomic: bigint
  state: IncomingPaymentState
  /** whether it is part of what settled its order */
  settles: boolean
  confirmations: number
  height: number | null
  /** the buyer's transaction, if known; a charge has the provider's payment id here */
  txIn: string | null
  /** the transaction that reached the merchant, if known */
  txOut: string | null
  /** when it or one that it replaces was first seen, or the time of its block if that is earlier */
  paidAt: number
  /**
   * since when how much of it was seen, oldest first; a replacement adds what it pays beyond the former one
   */
  seen: readonly SeenAmount[]
  /** the time of its block; null while it is in none, and where none is known */
  minedAt: number | null
  /** what its transaction spends; one that spends a part of it replaces it. Empty where that cannot be */
  inputs: readonly string[]
  /** the report as it was received */
  evidence: Json
  createdAt: number
  updatedAt: number
}
