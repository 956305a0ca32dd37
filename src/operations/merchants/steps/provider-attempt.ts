import type { AttemptAtProvider } from '../../../domain/attempt.ts'
import type { ProviderAttempt } from '../../../providers/port.ts'
import type { Context } from '../../context.ts'
import { getProviderAccount } from '../provider-account.ts'

/** The adapter's view of an attempt. */
export async function toProviderAttempt(
  context: Pick<Context, 'storage' | 'providers' | 'secrets'>,
  attempt: AttemptAtProvider,
): Promise<ProviderAttempt> {
  const { id, merchantId, provider, callbackUrl, providerRef, address, assetId, payoutAddress } = attempt
  const takesCharges = context.providers.find(provider)?.charge !== undefined
  const account = takesCharges ? await getProviderAccount(context, merchantId, provider) : null
  return {
    callbackUrl,
    reference: providerRef,
    address,
    assetId,
    ...(takesCharges && { charge: { attemptId: id, account: payoutAddress } }),
    credentials: account?.credentials ?? null,
  }
}
