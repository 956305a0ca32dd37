import type { ProviderMethod } from '../../domain/catalogue.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import type { ProviderAccount } from '../../domain/merchant.ts'
import type { Json } from '../../domain/metadata.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { Provider } from '../../providers/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'

const rowOf = ({ merchantId, provider }: Pick<ProviderAccount, 'merchantId' | 'provider'>): string =>
  `${merchantId} ${provider}`

/**
 * An account with its credentials, which are null if they cannot be decrypted and have to be entered again.
 */
export const openedAccount = (
  { secrets }: Pick<Context, 'secrets'>,
  account: ProviderAccount,
): ProviderAccount => ({ ...account, credentials: secrets.open(account.credentials, rowOf(account)) })

/** The account as it is stored: its credentials are encrypted. */
export const sealedAccount = (
  { secrets }: Pick<Context, 'secrets'>,
  account: ProviderAccount,
): ProviderAccount => ({ ...account, credentials: secrets.seal(account.credentials, rowOf(account)) })

/** A merchant's account with a provider that takes charges; null if there is none. */
export async function getProviderAccount(
  context: Pick<Context, 'storage' | 'secrets'>,
  merchantId: string,
  providerId: string,
): Promise<ProviderAccount | null> {
  const account = await context.storage.read(tables => tables.providerAccounts.find(merchantId, providerId))
  return account && openedAccount(context, account)
}

/** True if a merchant has a usable account with a provider: one whose credentials can be decrypted. */
export const hasProviderAccount = (
  context: Pick<Context, 'storage' | 'secrets'>,
  merchantId: string,
  providerId: string,
): Promise<boolean> =>
  context.storage.remember(['providerAccounts'], `account ${merchantId} ${providerId}`, async tables => {
    const account = await tables.providerAccounts.find(merchantId, providerId)
    return account !== null && openedAccount(context, account).credentials !== null
  })

/**
 * The methods of the account that a merchant has connected with a provider; null without a usable account.
 */
export const ownMethods = (
  context: Pick<Context, 'storage' | 'secrets'>,
  merchantId: string,
  { id, charge }: Provider,
): Promise<ProviderMethod[] | null> =>
  context.storage.remember(['providerAccounts'], `methods ${merchantId} ${id}`, async tables => {
    const account = await tables.providerAccounts.find(merchantId, id)
    const credentials = account && openedAccount(context, account).credentials
    if (credentials === null || !charge?.accounts) return null
    const methods = charge.accounts.methodsOf?.(credentials) ?? charge.accounts.methods
    return methods.map(method => ({ ...method, capability: 'charge' }))
  })

const DAY_MS = 24 * 3600_000

interface NewAccount {
  merchantId: string
  providerId: string
  credentials: Json
}

/** Stores a merchant's credentials for a provider, replacing former ones. */
export async function setProviderAccount(
  context: AuditContext & Pick<Context, 'storage' | 'providers' | 'secrets'>,
  { merchantId, providerId, credentials }: NewAccount,
): Promise<void> {
  const { storage, clock, providers, secrets } = context
  const charge = providers.find(providerId)?.charge
  if (!charge) throw new Refusal('not_found', 'No provider that takes charges has this ID.')
  const rule = credentials === null ? 'must not be null' : charge.credentialsError(credentials)
  if (rule !== null) throw invalid('/credentials', rule)
  const now = clock()
  const row = { merchantId, provider: providerId }
  await storage.write(async tables => {
    if (!(await tables.merchants.find(merchantId))) {
      throw new Refusal('not_found', 'No merchant has this ID.')
    }
    const known = await tables.providerAccounts.find(merchantId, providerId)
    // Encrypted within the write, so that a change of the encryption key either includes this account or
    // comes before it.
    const sealed = secrets.seal(credentials, rowOf(row))
    await tables.providerAccounts.put({ ...row, credentials: sealed, createdAt: now, updatedAt: now })
    if (charge.listReversals) {
      const lane = `reversals:${providerId}`
      const job = { kind: 'reversals.find', subject: providerId, lane, dueAt: now + DAY_MS } as const
      await tables.jobs.scheduleFirst(job, now)
    }
    // The credentials are secret, so the audit log only has the time of the change.
    await recordAudit(context, tables, {
      merchantId,
      action: 'provider_account.set',
      subject: `provider:${providerId}`,
      before: known && { updatedAt: formatTimestamp(known.updatedAt) },
      after: { updatedAt: formatTimestamp(now) },
    })
  })
}
