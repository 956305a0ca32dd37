import type { Json } from '../../domain/metadata.ts'
import { isObject } from '../answer.ts'
import { ProviderError } from '../port.ts'

/** What is stored of a merchant's account. */
export type Credentials = {
  /** a secret or, better, a restricted key */
  key: string
  /** "acct_…" */
  account: string
  name: string
  /** where Stripe reports payments; null if that could not be set up. `id` is null if a person made it */
  webhook: { id: string | null; secret: string } | null
}

export type Mode = 'test' | 'live'

const keyFormat = /^[sr]k_(test|live)_[A-Za-z0-9_]{8,250}$/

/** The mode of a key; null if it is no secret key. */
export const modeOf = (key: string): Mode | null => (keyFormat.exec(key)?.[1] as Mode | undefined) ?? null

export const isCredentials = (stored: Json): stored is Json & Credentials => {
  const { key, account, name, webhook } = isObject(stored) ? stored : {}
  const isWebhook = webhook === null || (isObject(webhook) && typeof webhook.secret === 'string')
  return typeof key === 'string' && modeOf(key) !== null && isId('acct', account) && !!name && isWebhook
}

/** Throws ProviderError if the merchant has no account any more, or its credentials cannot be decrypted. */
export function credentialsOf(stored: Json): Credentials {
  if (isCredentials(stored)) return stored
  throw new ProviderError('unavailable', 'the merchant has no account with Stripe')
}

/** An ID of Stripe's: "pi_…". It can be part of a path. */
export const isId = (prefix: string, value: unknown): value is string =>
  typeof value === 'string' && value.length <= 255 && new RegExp(`^${prefix}_[A-Za-z0-9_]+$`).test(value)
