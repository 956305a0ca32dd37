import { isExpired, type Key, randomAlphanumeric } from '../../domain/api-key.ts'
import { invalid } from '../../domain/errors.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { createKey, hashSecret } from './manage.ts'

/*
 * Some plugins for the older API of BTCPay Server have no field for an API key. They make a key pair, and a
 * person enters a pairing code in the plugin. The plugin trades the code for a token, and from then on signs
 * its requests. Here, a pairing code is an API key whose secret is the code, and which expires soon. Pairing
 * replaces the secret by the client's ID, which its public key determines, so that only a signature proves
 * who the client is. Such secrets have a colon, which no secret in the text of an API key has.
 */

const CODE_LENGTH = 7
const CODE_MS = 15 * 60_000

const codeSecret = (code: string): string => `code:${code}`

/** What is hashed for a paired client, as the secret of its key. */
export const pairedSecret = (clientId: string): string => `client:${clientId}`

/** Makes a pairing code for a plugin, and the key that the plugin gets. */
export async function createPairingCode(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  label: string,
): Promise<{ key: Key; code: string; expiresAt: number }> {
  const code = randomAlphanumeric(context.ids.random, CODE_LENGTH)
  const expiresAt = context.clock() + CODE_MS
  const given = { merchantId, label, mode: 'live', appOrigin: '', scopes: pluginScopes } as const
  const { key } = await createKey(context, { ...given, waiting: { secret: codeSecret(code), expiresAt } })
  return { key, code, expiresAt }
}

const pluginScopes = ['orders:create', 'api:read', 'webhooks:write']

/** Pairs a client with the key of a code, which then works no longer. */
export async function pairClient(
  context: AuditContext & Pick<Context, 'storage'>,
  code: string,
  clientId: string,
): Promise<Key> {
  const now = context.clock()
  return context.storage.write(async tables => {
    const key = await tables.keys.findBySecret(hashSecret(codeSecret(code)))
    const isUsable = key !== null && key.revokedAt === null && !isExpired(key, now)
    const change = { secretHash: hashSecret(pairedSecret(clientId)), expiresAt: null }
    if (!isUsable || !(await tables.keys.pair(key, change))) {
      throw invalid('/pairingCode', 'is unknown or has expired. Make another one in the dashboard')
    }
    const origin = { ...context.origin, actor: `key:${key.id}` as const }
    await recordAudit({ ...context, origin }, tables, {
      merchantId: key.merchantId,
      action: 'key.paired',
      subject: `key:${key.id}`,
      before: null,
      after: { clientId },
    })
    return { ...key, ...change }
  })
}
