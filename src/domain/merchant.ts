import type { FeePercent } from './fee.ts'

/** Whose addresses buyers pay coins to first when both are available: the merchant's or a provider's. */
export type CryptoFirst = 'own' | 'provider'

export interface Merchant {
  id: string
  email: string
  name: string
  feePercent: FeePercent
  status: 'active' | 'suspended'
  /**
   * the checkout's branding: where buyers go back to when the order names no returnUrl, and whom they can ask
   */
  returnUrl: string | null
  supportEmail: string | null
  cryptoFirst: CryptoFirst
  createdAt: number
  updatedAt: number
}

export const NAME_MAX = 128
export const EMAIL_MAX = 254

const word = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const emailPattern = new RegExp(`^${word}(?:[.]${word})*@(?:${label}[.])*${label}$`, 'i')

export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && emailPattern.test(text)

/** The form in which two spellings of one address are the same customer or merchant. */
export const emailKey = (email: string): string => email.toLowerCase()
