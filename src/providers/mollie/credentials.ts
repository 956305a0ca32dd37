import type { Json } from '../../domain/metadata.ts'
import { isOwnAccount, type Mode, type OwnAccount, ownAccounts } from '../own-account.ts'

const keyFormat = /^(test|live)_[A-Za-z0-9]{20,100}$/

/** The mode of a key; null if it is no API key. */
export const modeOf = (key: string): Mode | null => (keyFormat.exec(key)?.[1] as Mode | undefined) ?? null

/** `account` is the profile of the website, "pfl_…". */
const isCredentials = (stored: Json): stored is Json & OwnAccount =>
  isOwnAccount(stored) && modeOf(stored.key) !== null && isId('pfl', stored.account)

export const own = ownAccounts('Mollie', isCredentials)

/** An ID of Mollie's: "tr_…". It can be part of a path. */
export const isId = (prefix: string, value: unknown): value is string =>
  typeof value === 'string' && value.length <= 100 && new RegExp(`^${prefix}_[A-Za-z0-9]+$`).test(value)
