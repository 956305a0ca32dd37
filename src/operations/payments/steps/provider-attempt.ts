import type { Attempt } from '../../../domain/attempt.ts'
import type { ProviderAccount } from '../../../domain/provider-account.ts'
import type { ProviderAttempt } from '../../../providers/port.ts'
import type { Context } from '../../context.ts'

/** A merchant's account with a provider that takes charges. */
export const findAccount = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  providerId: string,
): Promise<ProviderAccount | null> =>
  storage.read(tables => tables.providerAccounts.find(merchantId, providerId))

/** What an adapter gets to know about an attempt. */
export async function toProviderAttempt(
  context: Pick<Context, 'storage' | 'providers'>,
  attempt: Attempt,
): Promise<ProviderAttempt> {
  const { merchantId, provider, callbackUrl, providerRef, address, assetId } = attempt
  const takesCharges = provider !== null && context.providers.find(provider)?.charge !== undefined
  const account = takesCharges ? await findAccount(context, merchantId, provider) : null
  return {
    callbackUrl: callbackUrl ?? '',
    reference: providerRef ?? '',
    address,
    assetId,
    credentials: account?.credentials ?? null,
  }
}
