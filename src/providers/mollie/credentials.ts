import type { Json } from '../../domain/metadata.ts'
import { isObject } from '../answer.ts'
import { type ProviderAttempt, ProviderError } from '../port.ts'

/** What is stored of a merchant's account. */
export type Credentials = {
  key: string
  /** the profile of the website, "pfl_…" */
  account: string
  name: string
}

export type Mode = 'test' | 'live'

const keyFormat = /^(test|live)_[A-Za-z0-9]{20,100}$/

/** The mode of a key; null if it is no API key. */
export const modeOf = (key: string): Mode | null => (keyFormat.exec(key)?.[1] as Mode | undefined) ?? null

export const isCredentials = (stored: Json): stored is Json & Credentials => {
  const { key, account, name } = isObject(stored) ? stored : {}
  return typeof key === 'string' && modeOf(key) !== null && isId('pfl', account) && !!name
}

/** Throws ProviderError if the merchant has no account any more, or its credentials cannot be decrypted. */
export function credentialsOf(stored: Json): Credentials {
  if (isCredentials(stored)) return stored
  throw new ProviderError('unavailable', 'the merchant has no account with Mollie')
}

/** An ID of Mollie's: "tr_…". It can be part of a path. */
export const isId = (prefix: string, value: unknown): value is string =>
  typeof value === 'string' && value.length <= 100 && new RegExp(`^${prefix}_[A-Za-z0-9]+$`).test(value)

/** The key of the account that the attempt was opened at. */
export function keyOf({ credentials, charge }: ProviderAttempt): string {
  const own = credentialsOf(credentials)
  if (own.account === charge?.account) return own.key
  throw new ProviderError('unavailable', 'the payment was opened at another account of the merchant')
}
