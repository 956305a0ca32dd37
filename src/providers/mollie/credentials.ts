import type { Json } from '../../domain/metadata.ts'
import { isObject } from '../answer.ts'
import { isOwnAccount, type Mode, type OwnAccount, ownAccounts } from '../own-account.ts'

const keyFormat = /^(test|live)_[A-Za-z0-9]{20,100}$/

/** The mode of a key; null if the text is not an API key. */
export const modeOf = (key: string): Mode | null => (keyFormat.exec(key)?.[1] as Mode | undefined) ?? null

/** The stored data of a merchant's account. `account` is the profile of the website, "pfl_…". */
export type Credentials = OwnAccount & {
  /** the IDs of the methods that were switched on when the account was connected */
  methods?: string[]
}

const isCredentials = (stored: Json): stored is Json & Credentials => {
  const { methods } = isObject(stored) ? stored : {}
  const isKnown = methods === undefined || Array.isArray(methods)
  return isKnown && isOwnAccount(stored) && modeOf(stored.key) !== null && isId('pfl', stored.account)
}

export const own = ownAccounts('Mollie', isCredentials)

/** True for an ID of Mollie's, such as "tr_…", which can be part of a path. */
export const isId = (prefix: string, value: unknown): value is string =>
  typeof value === 'string' && value.length <= 100 && new RegExp(`^${prefix}_[A-Za-z0-9]+$`).test(value)
