import { Refusal } from '../../domain/errors.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { openedAccount, sealedAccount } from './provider-account.ts'

interface KeyRotation {
  /** how many accounts are now encrypted with the new key */
  rotated: number
  /** how many could not be decrypted, and have to be entered again */
  unreadable: number
}

/**
 * Encrypts all stored credentials with a new key. The former key stays in the file until that is committed,
 * so an interruption loses nothing, and running it again completes it. A running server need not be stopped.
 */
export async function rotateSecrets(
  context: AuditContext & Pick<Context, 'storage' | 'secrets'>,
): Promise<KeyRotation> {
  const { storage, secrets } = context
  const before = await storage.read(tables => tables.providerAccounts.list())
  const sealed = before.filter(({ credentials }) => secrets.isSealed(credentials))
  if (sealed.length === 0) throw new Refusal('conflict', 'No credentials are stored that a key encrypts.')
  if (sealed.every(account => openedAccount(context, account).credentials === null)) {
    throw new Refusal('conflict', 'The key opens none of the stored credentials, so it cannot be changed.')
  }
  secrets.addKey()
  const rotation = await storage.write(async tables => {
    const accounts = (await tables.providerAccounts.list())
      .filter(({ credentials }) => secrets.isSealed(credentials))
      .map(account => openedAccount(context, account))
    const readable = accounts.filter(({ credentials }) => credentials !== null)
    for (const account of readable) await tables.providerAccounts.put(sealedAccount(context, account))
    for (const [merchantId, { length }] of Map.groupBy(readable, account => account.merchantId)) {
      const facts = { subject: 'server', before: null, after: { accounts: length } }
      await recordAudit(context, tables, { merchantId, action: 'secrets.rotated', ...facts })
    }
    return { rotated: readable.length, unreadable: accounts.length - readable.length }
  })
  secrets.dropFormerKeys()
  return rotation
}
