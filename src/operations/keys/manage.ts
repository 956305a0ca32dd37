import { hash } from 'node:crypto'
import {
  EXPIRY_DAYS_MAX,
  formatKey,
  isExpired,
  type Key,
  type KeyMode,
  LABEL_MAX,
  newKeyId,
  newSecret,
  OVERLAP_MAX_MS,
  type Scope,
  scopes,
} from '../../domain/api-key.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { checkNameOf } from '../../domain/name.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context, Tables } from '../context.ts'
import { getMerchant } from '../merchants/read.ts'
import { authorOf } from '../notices/author.ts'
import { notifyOf } from '../notices/notify.ts'

interface NewKey {
  merchantId: string
  mode: KeyMode
  /** all scopes by default */
  scopes?: string[] | undefined
  label?: string | undefined
  /** number of days after which the key expires; never by default */
  expiresInDays?: number | undefined
  /** for a key that waits for a client to be paired: its secret, and when it expires; see `pair.ts` */
  waiting?: { secret: string; expiresAt: number } | undefined
  /** origin of the website that gets the key */
  appOrigin?: string | null | undefined
}

const DAY_MS = 24 * 3600_000

const checkLabel = (label: string | undefined): string | null =>
  label === undefined ? null : checkNameOf(label, LABEL_MAX, 'label')

function expiryOf(days: number | undefined, now: number): number | null {
  if (days === undefined) return null
  if (!Number.isInteger(days) || days < 1 || days > EXPIRY_DAYS_MAX) {
    throw invalid('expires', `must be a whole number of days from 1 to ${EXPIRY_DAYS_MAX}`)
  }
  return now + days * DAY_MS
}

const timestampOf = (at: number | null): string | null => (at === null ? null : formatTimestamp(at))

export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')

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
  const expiresAt = input.waiting?.expiresAt ?? expiryOf(input.expiresInDays, now)
  await getMerchant(context, input.merchantId)
  const granted = scopes.filter(scope => wanted.includes(scope))
  const { appOrigin = null } = input
  const facts = { ...input, appOrigin, scopes: granted, label, expiresAt, createdAt: now }
  const { key, text } = makeKey(context, facts, input.waiting?.secret)
  await context.storage.write(async tables => {
    await insertKey(context, tables, key)
    const { merchantId, mode } = key
    await recordAudit(context, tables, {
      merchantId,
      action: 'key.created',
      subject: `key:${key.id}`,
      before: null,
      after: { mode, scopes: granted, label, expiresAt: timestampOf(expiresAt) },
    })
  })
  return { key, text }
}

/** Makes a key and its text, without storing it. */
function makeKey(
  { ids }: Pick<Context, 'ids'>,
  given: Pick<Key, 'merchantId' | 'mode' | 'scopes' | 'label' | 'expiresAt' | 'createdAt' | 'appOrigin'>,
  secret = newSecret(ids.random),
): { key: Key; text: string } {
  const { merchantId, mode, scopes, label, expiresAt, createdAt, appOrigin } = given
  const id = newKeyId(ids.random)
  const secretHash = hashSecret(secret)
  const unused = { revokedAt: null, lastUsedAt: null, replacedBy: null }
  const key = { id, merchantId, mode, scopes, secretHash, label, createdAt, expiresAt, appOrigin, ...unused }
  return { key, text: formatKey({ mode, id, secret }) }
}

async function insertKey(context: AuditContext, tables: Tables, key: Key): Promise<void> {
  const { id, merchantId, mode, scopes } = key
  await tables.keys.insert(key)
  const author = await authorOf(context, tables)
  await notifyOf(context, tables, merchantId, { about: 'key_created', ...author, mode, keyId: id, scopes })
}

/**
 * Replaces a key of this merchant by one with the same mode, scopes and label. The former key works until the
 * overlap ends. If the former key had an expiry, the new key is valid for the same length of time.
 */
export async function rotateKey(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
  overlapMs: number,
): Promise<{ key: Key; text: string; former: Key }> {
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > OVERLAP_MAX_MS) {
    throw invalid('overlap', 'must be from 0 to 30 days')
  }
  const now = context.clock()
  const known = await context.storage.read(tables => requireUsableKey(tables, merchantId, id, now))
  const { expiresAt, createdAt } = known
  const { key, text } = makeKey(context, {
    ...known,
    createdAt: now,
    expiresAt: expiresAt === null ? null : now + (expiresAt - createdAt),
  })
  const former = await context.storage.write(async tables => {
    const before = await requireUsableKey(tables, merchantId, id, now)
    await insertKey(context, tables, key)
    const change = {
      replacedBy: key.id,
      expiresAt: Math.min(now + overlapMs, before.expiresAt ?? Number.POSITIVE_INFINITY),
    }
    if (!(await tables.keys.replace(id, change))) throw new Refusal('conflict')
    await recordAudit(context, tables, {
      merchantId,
      action: 'key.rotated',
      subject: `key:${id}`,
      before: { expiresAt: timestampOf(before.expiresAt), replacedBy: null },
      after: { expiresAt: timestampOf(change.expiresAt), replacedBy: key.id },
    })
    return { ...before, ...change }
  })
  return { key, text, former }
}

async function requireUsableKey(tables: Tables, merchantId: string, id: string, now: number): Promise<Key> {
  const key = await requireKey(tables, merchantId, id)
  if (key.revokedAt !== null) throw new Refusal('conflict', 'This key is revoked. Create a new one.')
  if (key.replacedBy !== null) {
    throw new Refusal('conflict', `This key was already replaced by ${key.replacedBy}. Rotate that one.`)
  }
  if (isExpired(key, now)) throw new Refusal('conflict', 'This key has expired. Create a new one.')
  return key
}

async function requireKey(tables: Tables, merchantId: string, id: string): Promise<Key> {
  const key = await tables.keys.find(id)
  if (key?.merchantId !== merchantId) throw new Refusal('not_found', 'No key has this ID.')
  return key
}

/** Revokes a key of this merchant. Throws not_found for any other key. */
export async function revokeKey(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<Key> {
  return context.storage.write(async tables => {
    const key = await requireKey(tables, merchantId, id)
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
