import type { Json } from '../../domain/metadata.ts'
import { isObject } from '../answer.ts'
import { isOwnAccount, type OwnAccount, ownAccounts } from '../own-account.ts'

/** The client ID and the secret of a REST app, with which requests are made. */
export type Keys = { clientId: string; key: string }

/** The stored data of a merchant's account. `account` is the merchant ID, `name` the e-mail address. */
export type Credentials = OwnAccount & {
  clientId: string
  /** ID of the webhook that Florin made; null if it could not be made */
  webhook: string | null
}

const keyFormat = /^[A-Za-z0-9_-]{20,200}$/

/** True if a text can be a client ID or a secret. Both have the same form, in either mode. */
export const isKey = (text: unknown): text is string => typeof text === 'string' && keyFormat.test(text)

export const isCredentials = (stored: Json): stored is Json & Credentials =>
  isOwnAccount(stored) && isObject(stored) && isKey(stored.clientId) && isKey(stored.key)

export const own = ownAccounts('PayPal', isCredentials)

/** True for an ID of PayPal's, such as "5O190127TN364715T" or "PP-D-27803", which can be part of a path. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(value)
