import type { FeePercent } from './fee.ts'
import type { Metadata } from './metadata.ts'
import type { Amount } from './money.ts'
import { notRefunded, type Refunded } from './refund-totals.ts'
import type { Transitions } from './state-machine.ts'
import type { OrderTax } from './tax.ts'

export const orderStatuses = ['UNPAID', 'PAID', 'FAILED', 'EXPIRED', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]
/** States of an order's payments that its status does not show. */
export const paymentStates = ['CONFIRMING', 'PART_PAID', 'OVERPAID'] as const
export type PaymentState = (typeof paymentStates)[number]

export type OrderTrigger = 'cancel' | 'settle' | 'force' | 'expire' | 'fail'

/** A final status never changes, except that an expired order can still be settled. */
export const orderTransitions: Transitions<OrderStatus, OrderTrigger> = {
  UNPAID: { cancel: 'CANCELLED', settle: 'PAID', force: 'PAID', expire: 'EXPIRED', fail: 'FAILED' },
  EXPIRED: { settle: 'PAID' },
  PAID: {},
  CANCELLED: {},
  FAILED: {},
}

export type FeeCollectionStatus = 'PROVIDER_SPLIT' | 'ACCOUNTED_NOT_COLLECTED'
export type OrderSource = 'api' | 'web'

/** An order. Its times are milliseconds since 1970 UTC. */
export interface Order extends Refunded {
  id: string
  merchantId: string
  customerId: string
  customerEmail: string
  customerFullName: string
  externalId: string | null
  productId: string | null
  productName: string | null
  productImageUrl: string | null
  description: string | null
  amount: Amount
  currency: string
  methodKeys: string[]
  receivingWallet: string | null
  returnUrl: string | null
  metadata: Metadata
  source: OrderSource
  feePercent: FeePercent
  feeAmount: Amount
  netAmount: Amount
  feeCollection: FeeCollectionStatus
  status: OrderStatus
  expiresAt: number
  createdAt: number
  updatedAt: number
  /** method and asset that the buyer chose last, or that paid the order */
  chosenMethod: string | null
  chosenAsset: string | null
  paymentState: PaymentState | null
  /** when the buyer first opened its page; null if never */
  openedAt: number | null
  /** when it expired, even if it was paid later */
  expiredAt: number | null
  transactionId: string | null
  transactionRef: string | null
  paidAt: number | null
  providerAddressIn: string | null
  providerPayoutAddress: string | null
  providerTxIn: string | null
  providerTxOut: string | null
  receivedAmount: string | null
  receivedCurrency: string | null
  forcedAt: number | null
  forcedBy: string | null
  forceReason: string | null
  forcedProviderStatus: string | null
  cancelledAt: number | null
  cancelledBy: string | null
  cancelReason: string | null
  /** the tax contained in the amount; null in shops without tax settings */
  tax: OrderTax | null
  /** the person who created it in the dashboard, such as "user:ID"; null for others */
  createdBy: string | null
}

/** Initial values of an order. */
export const unpaid = {
  feeCollection: 'ACCOUNTED_NOT_COLLECTED',
  status: 'UNPAID',
  chosenMethod: null,
  chosenAsset: null,
  paymentState: null,
  openedAt: null,
  expiredAt: null,
  transactionId: null,
  transactionRef: null,
  paidAt: null,
  providerAddressIn: null,
  providerPayoutAddress: null,
  providerTxIn: null,
  providerTxOut: null,
  receivedAmount: null,
  receivedCurrency: null,
  forcedAt: null,
  forcedBy: null,
  forceReason: null,
  forcedProviderStatus: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
  tax: null,
  createdBy: null,
  ...notRefunded,
} as const

export const YEAR_MS = 365 * 24 * 3600_000

/**
 * True if an order is past its expiry. While it waits for an open payment it is still UNPAID, but takes no
 * other payment.
 */
export const isPastExpiry = ({ expiresAt }: Pick<Order, 'expiresAt'>, now: number): boolean =>
  now >= expiresAt
