import type { Brand } from './brand.ts'
import type { FeePercent } from './fee.ts'
import type { InvoiceSettings } from './invoice.ts'
import type { Json } from './metadata.ts'
import type { ShopTax } from './tax.ts'
import type { TolerancePercent } from './tolerance.ts'
import type { PeopleLanguage, SecondFactorPolicy } from './user.ts'
import type { FundsReminder } from './waiting-funds.ts'

/** Owner of the addresses that buyers pay coins to, if both the merchant and a provider have an address. */
export type CryptoFirst = 'own' | 'provider'

/** A late payment settles at its value, or waits for the merchant's decision. */
export const latePolicies = ['settle', 'ask'] as const
export type LatePolicy = (typeof latePolicies)[number]

export interface Merchant extends Brand {
  id: string
  email: string
  name: string
  feePercent: FeePercent
  status: 'active' | 'suspended'
  /** URL to which the checkout sends buyers if the order has no returnUrl */
  returnUrl: string | null
  cryptoFirst: CryptoFirst
  /** the part of a payment in a coin that may be missing, in percent */
  tolerance: TolerancePercent
  late: LatePolicy
  /** time zone of reports and digests: "Europe/Berlin" */
  timeZone: string
  /** default currency of new orders and products; null until one is chosen */
  currency: string | null
  /** language of messages to the merchant's own address, and to people who have not chosen a language */
  language: PeopleLanguage
  /** policy for the people who work in the shop's dashboard */
  secondFactor: SecondFactorPolicy
  /** true if staff may change the prices of products */
  staffPrices: boolean
  /** null if the shop does not use tax settings */
  tax: ShopTax | null
  /** null if invoices were never set up */
  invoicing: InvoiceSettings | null
  /** the value of waiting funds from which people are notified; null if they are not */
  fundsReminder: FundsReminder | null
  createdAt: number
  updatedAt: number
}

export const NAME_MAX = 128
export const EMAIL_MAX = 254

const word = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const emailPattern = new RegExp(`^${word}(?:[.]${word})*@(?:${label}[.])*${label}$`, 'i')

export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && emailPattern.test(text)

/** Addresses that differ only in case belong to the same customer or merchant. */
export const emailKey = (email: string): string => email.toLowerCase()

/** A merchant's account with a provider that takes charges. */
export interface ProviderAccount {
  merchantId: string
  provider: string
  /** in the format of the provider's adapter; secret */
  credentials: Json
  createdAt: number
  updatedAt: number
}
