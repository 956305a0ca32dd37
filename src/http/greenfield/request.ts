import { type TProperties, Type } from '@sinclair/typebox'
import { currencyDecimals } from '../../domain/currency.ts'
import { FULL_NAME_MAX, NO_EMAIL } from '../../domain/customer.ts'
import { invalid } from '../../domain/errors.ts'
import { EMAIL_MAX, isEmail } from '../../domain/merchant.ts'
import type { Metadata } from '../../domain/metadata.ts'
import { fromUnits, roundHalfUp, tenTo, toUnits } from '../../domain/money.ts'
import { ANY, CRYPTO } from '../../domain/payment-methods.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { OrderInput } from '../../operations/orders/steps/parse-request.ts'
import { MetadataObject, URL_MAX } from '../schema/fields.ts'
import { Nullable, Optional, UnicodeString } from '../schema/types.ts'

/**
 * An object whose unknown fields are ignored, because plugins send settings of BTCPay Server that Florin does
 * not have.
 */
export const OpenObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: true })

const DESCRIPTION_MAX = 512
const EXPIRY_MINUTES_MAX = 365 * 24 * 60
const MINUTE_MS = 60_000

export const NewInvoice = OpenObject({
  amount: Nullable(Type.Union([UnicodeString({ maxLength: 40 }), Type.Number()])),
  currency: Optional(Nullable(UnicodeString({ maxLength: 10 }))),
  metadata: Optional(Nullable(MetadataObject)),
  checkout: Optional(
    Nullable(
      OpenObject({
        paymentMethods: Optional(Nullable(Type.Array(UnicodeString({ maxLength: 80 }), { maxItems: 100 }))),
        expirationMinutes: Optional(Nullable(Type.Number({ minimum: 1, maximum: EXPIRY_MINUTES_MAX }))),
        redirectURL: Optional(Nullable(UnicodeString({ maxLength: URL_MAX }))),
        redirectAutomatically: Optional(Nullable(Type.Boolean())),
      }),
    ),
  ),
})

export const NewStatus = OpenObject({ status: UnicodeString({ maxLength: 20 }) })

export const WebhookBody = OpenObject({
  url: UnicodeString({ minLength: 1, maxLength: URL_MAX }),
  enabled: Optional(Nullable(Type.Boolean())),
  secret: Optional(Nullable(UnicodeString({ minLength: 8, maxLength: 200 }))),
  authorizedEvents: Optional(
    Nullable(
      OpenObject({
        everything: Optional(Nullable(Type.Boolean())),
        specificEvents: Optional(Nullable(Type.Array(UnicodeString({ maxLength: 80 }), { maxItems: 50 }))),
      }),
    ),
  ),
})

export interface InvoiceInput {
  amount: string | number | null
  currency?: string | null
  metadata?: Metadata | null
  /** the customer; by default, the fields of the metadata */
  buyer?: { email: string | null; name: string | null }
  checkout?: {
    paymentMethods?: string[] | null
    expirationMinutes?: number | null
    redirectURL?: string | null
  } | null
}

const textIn = (metadata: Metadata, name: string): string | null => {
  const value = metadata[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

const cut = (text: string, max: number): string => [...text].slice(0, max).join('')

/** The shop's number of an order; null if Florin cannot store it. The metadata always has it too. */
export const externalIdOf = (orderId: unknown): string | null =>
  /^[A-Za-z0-9._:-]{1,128}$/.test(String(orderId ?? '')) ? String(orderId) : null

/** Max decimals of an amount that a plugin sends, before the amount is rounded to its currency. */
const PLUGIN_DECIMALS = 20
/** The most that rounding may change an amount: 1 in 1,000, as with BTCPay Server. */
const ROUNDING = 1000n

/**
 * An amount in the decimals of its currency. Plugins send amounts with the rounding of their shop, such as
 * 11.8881 for a price with tax. An amount that rounding would change too much stays, and is refused later.
 */
function amountIn(amount: string | number, currency: string): string {
  const text = String(amount).trim()
  const decimals = currencyDecimals(currency)
  const exact = toUnits(text, PLUGIN_DECIMALS)
  if (exact === null || decimals === undefined) return text
  const unit = tenTo(PLUGIN_DECIMALS - decimals)
  const rounded = roundHalfUp(exact, unit)
  const change = rounded * unit - exact
  return (change < 0n ? -change : change) * ROUNDING <= exact ? fromUnits(rounded, decimals) : text
}

/**
 * The methods for the names that a plugin sends. A name that is not a method of a provider is a coin, such as
 * BTC, BTC-LN or USDT-TRON. The buyer chooses the coin.
 */
function methodsOf(names: readonly string[], providerMethods: readonly string[]): string[] {
  if (names.length === 0) return [ANY]
  const keys = names.map(name => name.toLowerCase())
  return [...new Set(keys.map(key => (providerMethods.includes(key) ? key : CRYPTO)))]
}

/** The payment methods that a plugin names for an invoice; empty for all methods. */
export const namedMethods = ({ checkout }: InvoiceInput): string[] => checkout?.paymentMethods ?? []

/** The return URL of an invoice, in which the placeholders of plugins are filled in. */
const filled = (url: string, id: string, { orderId }: Metadata): string =>
  url.replaceAll('{InvoiceId}', id).replaceAll('{OrderId}', encodeURIComponent(String(orderId ?? '')))

interface Surroundings {
  /** the ID of the new order */
  id: string
  storeCurrency: string | null
  /** keys of the methods of providers that the shop offers */
  providerMethods: readonly string[]
  now: number
}

/** The input for an order that an invoice asks for. */
export function orderOf(input: InvoiceInput, around: Surroundings): OrderInput {
  const { id, storeCurrency, providerMethods, now } = around
  const { amount, checkout } = input
  const metadata = input.metadata ?? {}
  const currency = input.currency?.toUpperCase() ?? storeCurrency
  if (amount === null) throw invalid('/amount', 'is required; invoices without an amount do not exist here')
  if (currency === null) throw invalid('/currency', 'is required; this shop has no usual currency')
  const email = input.buyer?.email ?? textIn(metadata, 'buyerEmail')
  const name = input.buyer?.name ?? textIn(metadata, 'buyerName')
  const description = textIn(metadata, 'itemDesc')
  const expires = checkout?.expirationMinutes
  return {
    id,
    amount: amountIn(amount, currency),
    currency,
    paymentMethodsKeys: methodsOf(namedMethods(input), providerMethods),
    externalId: externalIdOf(metadata.orderId),
    customer: {
      email: email !== null && email.length <= EMAIL_MAX && isEmail(email) ? email : NO_EMAIL,
      fullName: cut(name ?? '', FULL_NAME_MAX),
    },
    ...(description !== null && { description: cut(description, DESCRIPTION_MAX) }),
    ...(checkout?.redirectURL && { returnUrl: filled(checkout.redirectURL, id, metadata) }),
    ...(expires && { expiresAt: formatTimestamp(now + expires * MINUTE_MS) }),
    metadata,
  }
}
