import { createHash } from 'node:crypto'
import {
  EXPIRY_DAYS_MAX,
  formatKey,
  type Key,
  type KeyMode,
  LABEL_MAX,
  newKeyId,
  newSecret,
  type Scope,
  scopes,
} from '../../domain/api-key.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { Context } from '../context.ts'
import { getMerchant } from './read.ts'
import { notifyOf } from './steps/notify.ts'
import { type AuditContext, recordAudit } from './steps/record-audit.ts'

interface NewKey {
  merchantId: string
  mode: KeyMode
  /** every scope if left out */
  scopes?: string[] | undefined
  label?: string | undefined
  /** days from now on; it never expires if left out */
  expiresInDays?: number | undefined
}

const DAY_MS = 24 * 3600_000

function checkLabel(label: string | undefined): string | null {
  if (label === undefined) return null
  const trimmed = label.trim()
  if (trimmed === '' || [...trimmed].length > LABEL_MAX) {
    throw invalid('label', `must have 1 to ${LABEL_MAX} characters`)
  }
  return trimmed
}

function expiryOf(days: number | undefined, now: number): number | null {
  if (days === undefined) return null
  if (!Number.isInteger(days) || days < 1 || days > EXPIRY_DAYS_MAX) {
    throw invalid('expires', `must be a whole number of days from 1 to ${EXPIRY_DAYS_MAX}`)
  }
  return now + days * DAY_MS
}

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Creates an API key. Only a hash is stored; the returned text is the only copy. */
export async function createKey(
  context: AuditContext & Pick<Context, 'storage'>,
  input: NewKey,
): Promise<{ key: Key; text: string }> {
  const wanted = input.scopes ?? [...scopes]
  const unknown = wanted.find(scope => !scopes.includes(scope as Scope))
  if (unknown !== undefined || wanted.length === 0) {
    throw invalid('scopes', `must be a list of ${scopes.join(', ')}`)
  }
  if (input.mode !== 'live' && input.mode !== 'test') throw invalid('mode', 'must be live or test')
  const now = context.clock()
  const label = checkLabel(input.label)
  const expiresAt = expiryOf(input.expiresInDays, now)
  await getMerchant(context, input.merchantId)
  const id = newKeyId(context.ids.random)
  const secret = newSecret(context.ids.random)
  const key: Key = {
    id,
    merchantId: input.merchantId,
    mode: input.mode,
    scopes: scopes.filter(scope => wanted.includes(scope)),
    secretHash: hashSecret(secret),
    label,
    createdAt: now,
    revokedAt: null,
    expiresAt,
    lastUsedAt: null,
  }
  await context.storage.write(async tables => {
    await tables.keys.insert(key)
    const { merchantId, mode } = key
    const expires = expiresAt === null ? null : formatTimestamp(expiresAt)
    const after = { mode, scopes: key.scopes, label, expiresAt: expires }
    await recordAudit(context, tables, {
      merchantId,
      action: 'key.created',
      subject: `key:${id}`,
      before: null,
      after,
    })
    const text = `A ${mode} API key was created by ${context.origin.actor}: ${id}.`
    await notifyOf(context, tables, merchantId, 'key_created', `${text} Scopes: ${key.scopes.join(', ')}.`)
  })
  return { key, text: formatKey({ mode: key.mode, id, secret }) }
}

/** Revokes a key of this merchant. Throws not_found for any other key. */
export async function revokeKey(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<Key> {
  return context.storage.write(async tables => {
    const key = await tables.keys.find(id)
    if (key?.merchantId !== merchantId) throw new Refusal('not_found', 'No key has this ID.')
    const at = key.revokedAt ?? context.clock()
    if (await tables.keys.revoke(id, at)) {
      await recordAudit(context, tables, {
        merchantId,
        action: 'key.revoked',
        subject: `key:${id}`,
        before: { revokedAt: null },
        after: { revokedAt: formatTimestamp(at) },
      })
    }
    return { ...key, revokedAt: at }
  })
}
