import { timingSafeEqual } from 'node:crypto'
import { type Caller, isExpired, type Key, type KeyMode, parseKey, type Scope } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { hashSecret } from './manage.ts'
import { pairedSecret } from './pair.ts'

/** Requirements of an operation for an API key. They are checked in this order, before the body. */
export interface AccessRule {
  live?: boolean
  test?: boolean
  scope?: Scope
}

type AuthContext = Pick<Context, 'storage' | 'clock' | 'log'>

/** Throws if a key may not be used for an operation. */
export function checkAccess(caller: Caller, rule: AccessRule): void {
  if (rule.live && caller.mode !== 'live') throw new Refusal('live_key_required')
  if (rule.test && caller.mode !== 'test') throw new Refusal('test_key_required')
  if (rule.scope && !caller.scopes.includes(rule.scope)) {
    throw new Refusal(
      'insufficient_scope',
      `This API key does not have the scope ${rule.scope}. Use a key that has it.`,
    )
  }
}

const USE_RECORDED_EVERY_MS = 60_000
/** IDs of the keys whose last use is being written. */
const recording = new Set<string>()

/** Records the use of a key, at most once a minute. The request does not wait for it. */
function recordUse({ storage, clock, log }: AuthContext, { id, lastUsedAt }: Key): void {
  const now = clock()
  const unusedSince = now - USE_RECORDED_EVERY_MS
  if (recording.has(id) || (lastUsedAt !== null && lastUsedAt > unusedSince)) return
  recording.add(id)
  storage
    .write(tables => tables.keys.recordUse(id, now, unusedSince))
    .catch(error => log.warn({ keyId: id, error: String(error) }, 'key.use.not_recorded'))
    .finally(() => recording.delete(id))
}

/** A hash that no key has. It is compared if no key is found, so that every refusal takes as long. */
const NO_HASH = '0'.repeat(64)

/** Verifies an API key and returns its holder. */
export async function authenticate(context: AuthContext, keyText: string | null): Promise<Caller> {
  if (keyText === null || keyText === '') throw new Refusal('unauthorized')
  const text = parseKey(keyText)
  if (!text) throw new Refusal('invalid_api_key')
  return authenticateHolder(context, text)
}

/** Verifies that a client was paired with the key that its token names, and returns the key's holder. */
export const authenticatePaired = (context: AuthContext, token: string, clientId: string): Promise<Caller> =>
  authenticateHolder(context, { mode: 'live', id: token, secret: pairedSecret(clientId) })

async function authenticateHolder(
  context: AuthContext,
  { id, mode, secret }: { id: string; mode: KeyMode; secret: string },
): Promise<Caller> {
  const found = await context.storage.findKey(id)
  const hash = Buffer.from(hashSecret(secret), 'latin1')
  const expected = Buffer.from(found?.key.secretHash ?? NO_HASH, 'latin1')
  const proven = timingSafeEqual(hash, expected)
  if (!found?.merchant || !proven || !isUsable(found.key, mode, context.clock())) {
    throw new Refusal('invalid_api_key')
  }
  if (found.merchant.status === 'suspended') throw new Refusal('merchant_suspended')
  recordUse(context, found.key)
  return {
    merchantId: found.key.merchantId,
    keyId: found.key.id,
    mode: found.key.mode,
    scopes: found.key.scopes,
  }
}

const isUsable = (key: Key, mode: KeyMode, now: number): boolean =>
  key.mode === mode && key.revokedAt === null && !isExpired(key, now)
