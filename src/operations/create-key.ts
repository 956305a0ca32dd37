import { createHash } from 'node:crypto'
import { invalid, Refusal } from '../domain/errors.ts'
import { type Key, type KeyMode, newKeyId, newSecret, printKey, type Scope, scopes } from '../domain/key.ts'
import { readMerchant } from './read-merchants.ts'
import type { World } from './world.ts'

export interface NewKey {
  merchantId: string
  mode: KeyMode
  /** none named means every scope */
  scopes?: string[] | undefined
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Makes a key. Its text is in the answer and nowhere else: only a hash of it is kept. */
export async function createKey(world: World, input: NewKey): Promise<{ key: Key; text: string }> {
  const wanted = input.scopes ?? [...scopes]
  const unknown = wanted.find(scope => !scopes.includes(scope as Scope))
  if (unknown !== undefined || wanted.length === 0) {
    throw invalid('scopes', `must be some of ${scopes.join(', ')}`)
  }
  if (input.mode !== 'live' && input.mode !== 'test') throw invalid('mode', 'must be live or test')
  await readMerchant(world, input.merchantId)
  const id = newKeyId(world.ids.random)
  const secret = newSecret(world.ids.random)
  const key: Key = {
    id,
    merchantId: input.merchantId,
    mode: input.mode,
    scopes: scopes.filter(scope => wanted.includes(scope)),
    secretHash: hashSecret(secret),
    createdAt: world.clock(),
    revokedAt: null,
  }
  await world.storage.write(tables => tables.keys.insert(key))
  return { key, text: printKey({ mode: key.mode, id, secret }) }
}

/** Revokes a key of a merchant. Another merchant's key is not there. */
export async function revokeKey(world: World, merchantId: string, id: string): Promise<Key> {
  return world.storage.write(async tables => {
    const key = await tables.keys.find(id)
    if (key?.merchantId !== merchantId) throw new Refusal('not_found', 'There is no key with this id.')
    const at = key.revokedAt ?? world.clock()
    await tables.keys.revoke(id, at)
    return { ...key, revokedAt: at }
  })
}
