import type { Json } from './metadata.ts'

export type IncomingPaymentState = 'seen' | 'final' | 'gone'

/**
 * The known amount of a payment at a time. The first entry is at `paidAt`, the last one has the full amount.
 */
export interface SeenAmount {
  at: number
  /** an integer, as a string */
  atomic: string
}

export interface IncomingPayment {
  id: string
  attemptId: string
  orderId: string
  merchantId: string
  /** the chain or provider that reported it */
  source: string
  txId: string
  txIndex: string
  /** the asset that arrived, which may differ from the attempt's */
  assetId: string
  /** atomic, in the decimals of `assetId` */
  amountAtomic: bigint
  state: IncomingPaymentState
  /** true if the payment is part of what settled the order */
  settles: boolean
  confirmations: number
  height: number | null
  /** the buyer's transaction, if known; for a charge, the provider's payment ID */
  txIn: string | null
  /** the transaction that reached the merchant, if known */
  txOut: string | null
  /** when the payment, or one that it replaces, was first seen; the time of its block if that is earlier */
  paidAt: number
  /**
   * amounts that were seen and when, oldest first; a replacement adds only what it pays beyond the replaced
   * payment
   */
  seen: readonly SeenAmount[]
  /** time of its block; null if unmined or unknown */
  minedAt: number | null
  /**
   * price of its coin at `valuedAt`, stored once it is in a block or final, since the rates of a day are
   * deleted after a week; null if it arrived before the lock ended, or if no price is known
   */
  rate: string | null
  /**
   * true once it counted although it was late or in another coin, or once the merchant accepted it: settings
   * that change later, such as which coins the merchant offers, do not take that back
   */
  counts: boolean
  /**
   * outputs that its transaction spends: another transaction that spends one of them replaces it. Empty where
   * replacement is impossible
   */
  inputs: readonly string[]
  /** the report as received */
  evidence: Json
  createdAt: number
  updatedAt: number
}

/** The payments that left their chain and were not replaced by a payment of the same outputs. */
export function vanishedOf(payments: readonly IncomingPayment[]): IncomingPayment[] {
  const spent = new Set(payments.flatMap(({ state, inputs }) => (state === 'gone' ? [] : inputs)))
  return payments.filter(({ state, inputs }) => state === 'gone' && !inputs.some(input => spent.has(input)))
}

const JOINED = 'small:'

/** The ID of all small payments of a block to one address, which are joined into one. */
export const joinedId = (attemptId: string, height: number | null): string =>
  `${JOINED}${attemptId}:${height}`

/** Returns true if a payment stands for many small ones. It can be reported again later with more of them. */
export const isJoined = (txId: string): boolean => txId.startsWith(JOINED)

const UNREPORTED = 'attempt:'

/** The ID of a payment whose provider reports no transaction. */
export const unreportedId = (attemptId: string): string => `${UNREPORTED}${attemptId}`

/**
 * The ID of the buyer's transaction, or else of the transaction that reached the merchant. Null if a provider
 * reported neither, or if the payment stands for many small ones.
 */
export function transactionIdOf({ txIn, txId }: Pick<IncomingPayment, 'txIn' | 'txId'>): string | null {
  return txIn ?? (isJoined(txId) || txId.startsWith(UNREPORTED) ? null : txId)
}
