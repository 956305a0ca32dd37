import type { OwnAttempt } from '../../../domain/attempt.ts'
import { assert, Refusal } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import { LOCK_MS } from '../../../domain/quote.ts'
import { NetworkError, type OpenRequest, type PaymentTarget, type Watch } from '../../../networks/port.ts'
import { allocateAddress, releaseAddress } from '../../addresses/steps/allocate.ts'
import type { Context } from '../../context.ts'
import { requiredEndpointsFor } from '../../upstreams/steps/required-endpoints.ts'
import type { AssetOffer } from '../list-offers.ts'
import type { Checkout } from '../load-checkout.ts'
import type { OwnRoute } from './choose-route.ts'

type TargetContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'networks' | 'rates' | 'policy' | 'log'>

/**
 * The properties that an address watched by Florin adds to a quote. If the address expires, the quote ends
 * with it at the latest.
 */
export type OwnTarget = Pick<
  OwnAttempt,
  | 'provider'
  | 'address'
  | 'shared'
  | 'payoutAddress'
  | 'addressSource'
  | 'requiredEndpoints'
  | 'cursor'
  | 'reclaimedAt'
> & { uri: string | undefined; expiresAt: number | undefined }

/**
 * Opens a payment target on the asset's own network: an address from the merchant's sources, or a target that
 * the network issues. Refuses if no address is left or no endpoint is usable.
 */
export async function openTarget(
  context: TargetContext,
  attemptId: string,
  { order, merchant }: Checkout,
  offer: AssetOffer,
  { kind, account }: OwnRoute,
): Promise<OwnTarget> {
  const { asset, dueAtomic } = offer
  const { policy, rates } = context
  const isPublic = order.source !== 'api'
  const own =
    account !== null ? null : await allocateAddress(context, merchant.id, attemptId, offer, kind, isPublic)
  try {
    const lockedUntil = context.clock() + LOCK_MS
    const wanted = { attemptId, asset, own, dueAtomic, label: merchant.name, lockedUntil }
    const request = account === null ? wanted : { ...wanted, account }
    const target = await askNetwork(context, request)
    const address = 'invoice' in target ? target.invoice : target.address
    return {
      provider: null,
      address,
      shared: kind === 'shared',
      payoutAddress: (own && offer.payoutAddress) ?? address,
      addressSource: sourceWithReference(target),
      requiredEndpoints: requiredEndpointsFor(policy, await rates.latest(), order, asset),
      cursor: target.cursor,
      reclaimedAt: null,
      uri: target.uri,
      expiresAt: target.expiresAt,
    }
  } catch (error) {
    await releaseAddress(context, attemptId, kind)
    throw error
  }
}

export const networkAway = (): Refusal =>
  new Refusal(
    'provider_unavailable',
    'This network cannot be reached at the moment. Choose another method.',
    {
      reason: { kind: 'network_away' },
    },
  )

async function askNetwork(context: TargetContext, request: OpenRequest): Promise<PaymentTarget> {
  const { asset } = request
  try {
    const network = context.networks.of(asset.chain)
    assert(network, 'an offered asset has a network')
    const target = await network.open(request)
    const { expiresAt } = target
    if (expiresAt !== undefined && expiresAt <= context.clock()) {
      throw new NetworkError(`${asset.chain}: the new payment target has already expired`)
    }
    return target
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    context.log.warn({ assetId: asset.id, reason: error.message }, 'target.open.failed')
    throw networkAway()
  }
}

/** The source of an address as it is stored, together with the reference. */
const sourceWithReference = ({ source, reference }: PaymentTarget): Json =>
  reference === undefined ? source : { ...(source as { [key: string]: Json }), reference }

/** The reference of a stored payment target, for its watch. */
export function storedReference(source: Json): Pick<Watch, 'reference'> {
  const { reference } = (source ?? {}) as { [key: string]: Json }
  return typeof reference === 'string' ? { reference } : {}
}
