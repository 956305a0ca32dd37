import { Refusal } from '../../domain/errors.ts'
import { MAIL_ROW } from '../../domain/mail-server.ts'
import type { Json } from '../../domain/metadata.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context, Tables } from '../context.ts'
import { openedAccount, sealedAccount } from './provider-account.ts'

interface KeyRotation {
  /** number of accounts and mail servers that are now encrypted with the new key */
  rotated: number
  /** number of accounts and mail servers whose credentials cannot be decrypted, and must be entered again */
  unreadable: number
}

type SecretsContext = Pick<Context, 'secrets'>

/**
 * The decrypted password of the mail server chosen in the dashboard, or null if no key opens it. Empty if no
 * password is stored.
 */
async function mailPasswords({ secrets }: SecretsContext, tables: Tables): Promise<Json[]> {
  const password = (await tables.chosenMailServers.find())?.password ?? null
  return password === null ? [] : [secrets.open(password, MAIL_ROW)]
}

async function rotateMail(context: SecretsContext, tables: Tables): Promise<KeyRotation> {
  const stored = await tables.chosenMailServers.find()
  const [password] = await mailPasswords(context, tables)
  if (!stored || password === undefined) return { rotated: 0, unreadable: 0 }
  if (password === null) return { rotated: 0, unreadable: 1 }
  await tables.chosenMailServers.put({ ...stored, password: context.secrets.seal(password, MAIL_ROW) })
  return { rotated: 1, unreadable: 0 }
}

/**
 * Encrypts all stored credentials with a new key. The former key stays in the file until the change is
 * committed, so an interruption loses nothing, and a second run completes it. A running server need not be
 * stopped.
 */
export async function rotateSecrets(
  context: AuditContext & Pick<Context, 'storage' | 'secrets'>,
): Promise<KeyRotation> {
  const { storage, secrets } = context
  const sealed = await storage.read(async tables => [
    ...(await tables.providerAccounts.list())
      .filter(({ credentials }) => secrets.isSealed(credentials))
      .map(account => openedAccount(context, account).credentials),
    ...(await mailPasswords(context, tables)),
  ])
  if (sealed.length === 0) throw new Refusal('conflict', 'No credentials are stored that a key encrypts.')
  if (sealed.every(credentials => credentials === null)) {
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
    const mail = await rotateMail(context, tables)
    const unreadable = accounts.length - readable.length + mail.unreadable
    return { rotated: readable.length + mail.rotated, unreadable }
  })
  secrets.dropFormerKeys()
  return rotation
}
