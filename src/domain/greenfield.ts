import type { Scope } from './api-key.ts'
import type { Order } from './order.ts'
import { CRYPTO } from './payment-methods.ts'

/* An order in the terms of Greenfield, the API of BTCPay Server, which calls an order an invoice. */

type InvoiceStatus = 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
type AdditionalStatus = 'None' | 'PaidPartial' | 'PaidLate' | 'PaidOver' | 'Marked'

interface InvoiceState {
  status: InvoiceStatus
  additionalStatus: AdditionalStatus
}

type OrderState = Pick<Order, 'status' | 'paymentState' | 'forcedAt' | 'expiredAt'>

/**
 * Returns the invoice state that an order's state corresponds to. An expired order may still be paid. While
 * such a payment is being confirmed, the invoice is processing, because plugins release the goods of an
 * expired invoice.
 */
export function invoiceStateOf({ status, paymentState, forcedAt, expiredAt }: OrderState): InvoiceState {
  switch (status) {
    case 'PAID':
      if (forcedAt !== null) return { status: 'Settled', additionalStatus: 'Marked' }
      if (expiredAt !== null) return { status: 'Settled', additionalStatus: 'PaidLate' }
      return { status: 'Settled', additionalStatus: paymentState === 'OVERPAID' ? 'PaidOver' : 'None' }
    case 'CANCELLED':
      return { status: 'Invalid', additionalStatus: 'Marked' }
    case 'FAILED':
      return { status: 'Invalid', additionalStatus: 'None' }
    case 'EXPIRED':
      if (paymentState === 'CONFIRMING') return { status: 'Processing', additionalStatus: 'PaidLate' }
      return { status: 'Expired', additionalStatus: partOf(paymentState) }
    case 'UNPAID':
      if (paymentState === 'CONFIRMING') return { status: 'Processing', additionalStatus: 'None' }
      return { status: 'New', additionalStatus: partOf(paymentState) }
  }
}

/** An invoice's state in the older API of BTCPay Server, whose paths begin with /invoices. */
interface LegacyState {
  /** `paid` means that enough was seen and is not final yet; `complete`, that it is final */
  status: 'new' | 'paid' | 'complete' | 'expired' | 'invalid'
  exceptionStatus: false | 'paidPartial' | 'paidLate' | 'paidOver' | 'marked'
}

const legacyStatus = {
  New: 'new',
  Processing: 'paid',
  Settled: 'complete',
  Expired: 'expired',
  Invalid: 'invalid',
} as const

const exceptions = {
  None: false,
  PaidPartial: 'paidPartial',
  PaidLate: 'paidLate',
  PaidOver: 'paidOver',
  Marked: 'marked',
} as const

/** Returns the status that a status of the older API stands for, or the same text if it stands for none. */
export const invoiceStatusOf = (legacy: string): string =>
  legacy === 'confirmed'
    ? 'Settled'
    : (Object.entries(legacyStatus).find(([, status]) => status === legacy)?.[0] ?? legacy)

/** Returns the state of an order's invoice in the older API. */
export function legacyStateOf(order: OrderState): LegacyState {
  const { status, additionalStatus } = invoiceStateOf(order)
  return { status: legacyStatus[status], exceptionStatus: exceptions[additionalStatus] }
}

const partOf = (paymentState: Order['paymentState']): AdditionalStatus =>
  paymentState === 'PART_PAID' ? 'PaidPartial' : 'None'

/**
 * The name of a payment method in Greenfield: BTC-CHAIN, BTC-LN, USDC-POLYGON, or the key of a provider's
 * method, such as STRIPE.
 */
export function paymentMethodOf({ methodKey, assetId }: { methodKey: string; assetId: string }): string {
  if (methodKey !== CRYPTO) return methodKey.toUpperCase()
  if (assetId === 'lightning') return 'BTC-LN'
  const [chain = '', token] = assetId.toUpperCase().split('/')
  return token === undefined ? `${chain}-CHAIN` : `${token}-${chain}`
}

/** The scope that each permission gives in Florin. Other permissions are not granted. */
const scopeOf: Record<string, Scope> = {
  'btcpay.store.canviewinvoices': 'api:read',
  'btcpay.store.canviewstoresettings': 'api:read',
  'btcpay.store.cancreateinvoice': 'orders:create',
  'btcpay.store.canmodifyinvoices': 'orders:manage',
  'btcpay.store.webhooks.canmodifywebhooks': 'webhooks:write',
}

/** Returns the permissions that an app asks for and that exist in Florin, without duplicates. */
export const knownPermissions = (asked: readonly string[]): string[] =>
  [...new Set(asked)].filter(permission => Object.hasOwn(scopeOf, permission))

export const scopesFor = (permissions: readonly string[]): Scope[] => [
  ...new Set(knownPermissions(permissions).map(permission => scopeOf[permission] as Scope)),
]

/** The permissions of a key for a store. */
export const permissionsOf = (scopes: readonly Scope[], storeId: string): string[] =>
  Object.keys(scopeOf)
    .filter(permission => scopes.includes(scopeOf[permission] as Scope))
    .map(permission => `${permission}:${storeId}`)
