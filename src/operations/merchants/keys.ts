import { createHash } from 'node:crypto'
import {
  formatKey,
  type Key,
  type KeyMode,
  newKeyId,
  newSecret,
  type Scope,
  scopes,
} from '../../domain/api-key.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { getMerchant } from './read.ts'

interface NewKey {
  merchantId: string
  mode: KeyMode
  /** every scope if left out */
  scopes?: string[] | undefined
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Creates an API key. Only a hash is stored; the returned text is the only copy. */
export async function createKey(
  context: Pick<Context, 'storage' | 'clock' | 'ids'>,
  input: NewKey,
): Promise<{ key: Key; text: string }> {
  const wanted = input.scopes ?? [...scopes]
  const unknown = wanted.find(scope => !scopes.includes(scope as Scope))
  if (unknown !== undefined || wanted.length === 0) {
    throw invalid('scopes', `must be a list of ${scopes.join(', ')}`)
  }
  if (input.mode !== 'live' && input.mode !== 'test') throw invalid('mode', 'must be live or test')
  await getMerchant(context, input.merchantId)
  const id = newKeyId(context.ids.random)
  const secret = newSecret(context.ids.random)
  const key: Key = {
    id,
    merchantId: input.merchantId,
    mode: input.mode,
    scopes: scopes.filter(scope => wanted.includes(scope)),
    secretHash: hashSecret(secret),
    createdAt: context.clock(),
    revokedAt: null,
  }
  await context.storage.write(tables => tables.keys.insert(key))
  return { key, text: formatKey({ mode: key.mode, id, secret }) }
}

/** Revokes a key of this merchant. Throws not_found for any other key. */
export async function revokeKey(
  context: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  id: string,
): Promise<Key> {
  return context.storage.write(async tables => {
    const key = await tables.keys.find(id)
    if (key?.merchantId !== merchantId) throw new Refusal('not_found', 'No key has this ID.')
    const at = key.revokedAt ?? context.clock()
    await tables.keys.revoke(id, at)
    return { ...key, revokedAt: at }
  })
}
