import type { Json } from '../../domain/metadata.ts'
import { isObject } from '../answer.ts'
import { isOwnAccount, type Mode, type OwnAccount, ownAccounts } from '../own-account.ts'

/** The stored data of a merchant's account. `key` is a secret or a restricted key, `account` is "acct_…". */
export type Credentials = OwnAccount & {
  /**
   * webhook to which Stripe reports payments; null if it could not be set up. `id` is null if a person made
   * it
   */
  webhook: { id: string | null; secret: string } | null
}

const keyFormat = /^[sr]k_(test|live)_[A-Za-z0-9_]{8,250}$/

/** The mode of a key; null if the text is not a secret key. */
export const modeOf = (key: string): Mode | null => (keyFormat.exec(key)?.[1] as Mode | undefined) ?? null

export const isCredentials = (stored: Json): stored is Json & Credentials => {
  const { webhook } = isObject(stored) ? stored : {}
  const isWebhook = webhook === null || (isObject(webhook) && typeof webhook.secret === 'string')
  return isWebhook && isOwnAccount(stored) && modeOf(stored.key) !== null && isId('acct', stored.account)
}

export const own = ownAccounts('Stripe', isCredentials)

/** True for an ID of Stripe's, such as "pi_…", which can be part of a path. */
export const isId = (prefix: string, value: unknown): value is string =>
  typeof value === 'string' && value.length <= 255 && new RegExp(`^${prefix}_[A-Za-z0-9_]+$`).test(value)
