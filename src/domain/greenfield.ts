import type { Scope } from './api-key.ts'
import type { Order } from './order.ts'
import { CRYPTO } from './payment-methods.ts'

/* An order in the words of Greenfield, the API of BTCPay Server, which calls it an invoice. */

type InvoiceStatus = 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
type AdditionalStatus = 'None' | 'PaidPartial' | 'PaidLate' | 'PaidOver' | 'Marked'

interface InvoiceState {
  status: InvoiceStatus
  additionalStatus: AdditionalStatus
}

type OrderState = Pick<Order, 'status' | 'paymentState' | 'forcedAt' | 'expiredAt'>

/**
 * The only state of an invoice that an order's state stands for. An expired order may still be paid, so one
 * whose payment is being confirmed is processing: plugins let go of the goods of an expired one.
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

const partOf = (paymentState: Order['paymentState']): AdditionalStatus =>
  paymentState === 'PART_PAID' ? 'PaidPartial' : 'None'

/**
 * The name of a way to pay: BTC-CHAIN, BTC-LN, USDC-POLYGON, or the key of a method of a provider, such as
 * STRIPE.
 */
export function paymentMethodOf({ methodKey, assetId }: { methodKey: string; assetId: string }): string {
  if (methodKey !== CRYPTO) return methodKey.toUpperCase()
  if (assetId === 'lightning') return 'BTC-LN'
  const [chain = '', token] = assetId.toUpperCase().split('/')
  return token === undefined ? `${chain}-CHAIN` : `${token}-${chain}`
}

/** What each permission allows in Florin. Others are not granted. */
const scopeOf: Record<string, Scope> = {
  'btcpay.store.canviewinvoices': 'api:read',
  'btcpay.store.canviewstoresettings': 'api:read',
  'btcpay.store.cancreateinvoice': 'orders:create',
  'btcpay.store.canmodifyinvoices': 'orders:manage',
  'btcpay.store.webhooks.canmodifywebhooks': 'webhooks:write',
}

/** Of the permissions that an app asks for, those that exist in Florin, each once. */
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
