import { timingSafeEqual } from 'node:crypto'
import { type Caller, parseKey, type Scope } from '../../domain/api-key.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { hashSecret } from './keys.ts'

/** What an operation requires of an API key. Checked in this order, before the body. */
export interface AccessRule {
  live?: boolean
  scope?: Scope
}

export async function authenticate(
  context: Pick<Context, 'storage'>,
  keyText: string | null,
  rule: AccessRule,
): Promise<Caller> {
  if (keyText === null || keyText === '') throw new Refusal('unauthorized')
  const caller = await identify(context, keyText)
  if (rule.live && caller.mode !== 'live') throw new Refusal('live_key_required')
  if (rule.scope && !caller.scopes.includes(rule.scope)) {
    throw new Refusal(
      'insufficient_scope',
      `This API key does not have the scope ${rule.scope}. Use a key that has it.`,
    )
  }
  return caller
}

async function identify(context: Pick<Context, 'storage'>, keyText: string): Promise<Caller> {
  const text = parseKey(keyText)
  if (!text) throw new Refusal('invalid_api_key')
  const found = await context.storage.read(async tables => {
    const key = await tables.keys.find(text.id)
    return key && { key, merchant: await tables.merchants.find(key.merchantId) }
  })
  const hash = Buffer.from(hashSecret(text.secret), 'hex')
  const expected = Buffer.from(found?.key.secretHash ?? '0'.repeat(64), 'hex')
  const proven = timingSafeEqual(hash, expected)
  if (!found?.merchant || !proven || found.key.mode !== text.mode || found.key.revokedAt !== null) {
    throw new Refusal('invalid_api_key')
  }
  if (found.merchant.status === 'suspended') throw new Refusal('merchant_suspended')
  return {
    merchantId: found.key.merchantId,
    keyId: found.key.id,
    mode: found.key.mode,
    scopes: found.key.scopes,
  }
}
