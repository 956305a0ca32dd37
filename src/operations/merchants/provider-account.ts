import { invalid, Refusal } from '../../domain/errors.ts'
import type { Json } from '../../domain/metadata.ts'
import type { ProviderAccount } from '../../domain/provider-account.ts'
import type { Context } from '../context.ts'

/** A merchant's account with a provider that takes charges; null if there is none. */
export const getProviderAccount = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  providerId: string,
): Promise<ProviderAccount | null> =>
  storage.read(tables => tables.providerAccounts.find(merchantId, providerId))

interface NewAccount {
  merchantId: string
  providerId: string
  credentials: Json
}

/**
 * Stores a merchant's credentials for a provider, in place of former ones. No command calls this yet: PayGate
 * needs no account. The first adapter that takes charges brings the command that does.
 */
export async function setProviderAccount(
  { storage, clock, providers }: Pick<Context, 'storage' | 'clock' | 'providers'>,
  { merchantId, providerId, credentials }: NewAccount,
): Promise<void> {
  const charge = providers.find(providerId)?.charge
  if (!charge) throw new Refusal('not_found', 'No provider with this id takes charges.')
  const rule = credentials === null ? 'must not be null' : charge.credentialsError(credentials)
  if (rule !== null) throw invalid('/credentials', rule)
  const now = clock()
  const account = { merchantId, provider: providerId, credentials, createdAt: now, updatedAt: now }
  await storage.write(async tables => {
    if (!(await tables.merchants.find(merchantId))) {
      throw new Refusal('not_found', 'There is no merchant with this id.')
    }
    await tables.providerAccounts.put(account)
  })
}
