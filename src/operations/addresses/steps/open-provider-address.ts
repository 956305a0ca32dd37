import type { Attempt, ProviderAddressSource } from '../../../domain/attempt.ts'
import { assert, Refusal } from '../../../domain/errors.ts'
import { CRYPTO } from '../../../domain/payment-methods.ts'
import {
  type Provider,
  ProviderError,
  type ProvisionedAddress,
  type ProvisionRequest,
} from '../../../providers/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import type { AssetOffer } from '../../payments/list-offers.ts'
import type { Checkout } from '../../payments/load-checkout.ts'
import { registerCallback } from '../../payments/steps/register-callback.ts'

const away = (): Refusal =>
  new Refusal('provider_unavailable', 'This coin cannot be taken at the moment. Choose another method.')

/**
 * Gets an address from a provider that forwards to the payout wallet, and answers what an attempt keeps of
 * it. Nobody can pay to it before the attempt is stored, so that no callback comes earlier; where it never
 * is, the provider is left with an address that nobody was told of.
 */
export async function openProviderAddress(
  context: Context,
  attemptId: string,
  { order }: Checkout,
  { asset, payoutAddress }: AssetOffer,
  provider: Provider,
  minimum: bigint,
): Promise<Partial<Attempt> & { address: string }> {
  assert(payoutAddress, 'a provider forwards to a payout wallet')
  const callback = registerCallback(context, provider.id, attemptId)
  const source: ProviderAddressSource = {
    kind: 'provider',
    provider: provider.id,
    minimum: minimum.toString(),
  }
  const { address, ref, feeSplit } = await open(context, provider, asset.id, {
    attemptId,
    methodKey: CRYPTO,
    amount: order.amount,
    currency: order.currency,
    email: order.customerEmail,
    payoutAddress,
    feePercent: order.feePercent,
    callbackUrl: callback.callbackUrl ?? '',
  })
  // Of an address that forwards to itself nothing would ever be heard.
  const isPayout = address.toLowerCase() === payoutAddress.toLowerCase()
  if (isPayout || !context.networks.isAddress(asset.network, address)) {
    context.log.error(
      { provider: provider.id, assetId: asset.id },
      'a provider answered with a wrong address',
    )
    throw away()
  }
  return {
    ...callback,
    provider: provider.id,
    address,
    addressSource: { ...source },
    providerRef: ref,
    feeSplit,
    // How deep a payment has to be is the provider's to judge.
    requiredConfirmations: null,
  }
}

async function open(
  context: Context,
  provider: Provider,
  assetId: string,
  request: ProvisionRequest,
): Promise<ProvisionedAddress> {
  try {
    return await provider.openAddress(assetId, request)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    context.log.warn({ provider: provider.id, assetId, fault: error.message }, 'a provider gave no address')
    throw away()
  }
}

/** An address of a provider that any attempt has already would let one payment be told of two orders. */
export async function checkProviderAddress(
  context: Context,
  tables: Tables,
  attempt: Attempt,
): Promise<void> {
  const { provider, address, assetId } = attempt
  if (provider === null || address === null || !(await tables.attempts.hasAddress(address))) return
  context.log.error({ provider, assetId }, 'a provider answered with an address that is known')
  throw away()
}
