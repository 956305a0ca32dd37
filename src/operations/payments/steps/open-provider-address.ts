import type { AddressAttempt, ForwardedAttempt } from '../../../domain/attempt.ts'
import { assert, Refusal } from '../../../domain/errors.ts'
import {
  type AddressRequest,
  type ForwardingAddress,
  type Provider,
  ProviderError,
} from '../../../providers/port.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import type { AssetOffer } from '../list-offers.ts'
import type { Checkout } from '../load-checkout.ts'
import { registerCallback } from './register-callback.ts'

const unavailable = (): Refusal =>
  new Refusal('provider_unavailable', 'This coin is not available right now. Choose another method.')

/** The properties that a forwarding address adds to a quote. */
export type ForwardingTarget = Pick<
  ForwardedAttempt,
  | 'provider'
  | 'address'
  | 'addressSource'
  | 'callbackUrl'
  | 'callbackSecret'
  | 'providerRef'
  | 'feeSplit'
  | 'payoutAddress'
>

/**
 * Opens a forwarding address at a provider and returns what the attempt stores. Nobody knows the address
 * before the attempt is stored, so no callback can come earlier.
 */
export async function openProviderAddress(
  context: Pick<Context, 'ids' | 'networks' | 'log' | 'policy'>,
  attemptId: string,
  { order }: Checkout,
  { asset, payoutAddress }: AssetOffer,
  provider: Provider,
  minimum: bigint,
): Promise<ForwardingTarget> {
  assert(payoutAddress, 'a provider forwards to a payout wallet')
  const { isAddress, unspendable, canonical } = context.networks
  const payout = canonical(asset.network, payoutAddress)
  const callback = registerCallback(context, provider.id, attemptId)
  const { address, reference, feeSplit } = await open(context, provider, asset.id, {
    payoutAddress: payout,
    feePercent: order.feePercent,
    callbackUrl: callback.callbackUrl,
  })
  // An address that forwards to itself never reports a payment.
  const isPayable = isAddress(asset.network, address) && unspendable(asset.network, address) === null
  if (!isPayable || canonical(asset.network, address) === payout) {
    context.log.error({ provider: provider.id, assetId: asset.id }, 'provider.address.invalid')
    throw unavailable()
  }
  return {
    ...callback,
    provider: provider.id,
    address,
    addressSource: { kind: 'provider', provider: provider.id, minimum: minimum.toString() },
    providerRef: reference,
    feeSplit,
    payoutAddress,
  }
}

async function open(
  { log }: Pick<Context, 'log'>,
  { id, forwarding }: Provider,
  assetId: string,
  request: AddressRequest,
): Promise<ForwardingAddress> {
  assert(forwarding, 'a route leads to a provider that forwards coins')
  try {
    return await forwarding.openAddress(assetId, request)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ provider: id, assetId, reason: error.message }, 'provider.address.failed')
    throw unavailable()
  }
}

/** Rejects an address that another attempt has: one payment could be reported for two orders. */
export async function checkProviderAddress(
  { log }: Pick<Context, 'log'>,
  tables: Tables,
  attempt: AddressAttempt,
): Promise<void> {
  const { provider, address, assetId } = attempt
  if (provider === null || !(await tables.attempts.hasAddress(address))) return
  log.error({ provider, assetId }, 'provider.address.reused')
  throw unavailable()
}
