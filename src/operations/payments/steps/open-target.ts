import type { SourceKind } from '../../../domain/address-source.ts'
import type { Attempt } from '../../../domain/attempt.ts'
import { assert, BuyerRefusal } from '../../../domain/errors.ts'
import type { Json } from '../../../domain/metadata.ts'
import { LOCK_MS, WATCH_MS } from '../../../domain/quote.ts'
import { NetworkError, type OpenRequest, type PaymentTarget, type Watch } from '../../../networks/port.ts'
import { allocateAddress, releaseAddress } from '../../addresses/steps/allocate.ts'
import type { Context } from '../../context.ts'
import { requiredEndpointsFor } from '../../upstreams/steps/required-endpoints.ts'
import type { AssetOffer } from '../list-offers.ts'
import type { Checkout } from '../load-checkout.ts'

type TargetContext = Pick<Context, 'storage' | 'clock' | 'ids' | 'networks' | 'rates' | 'policy' | 'log'>

/** What an attempt stores about its payment target. */
export type Opened = Partial<Attempt> & { address: string }

/**
 * Opens a payment target on the asset's own network: at an address from the merchant's sources, or as the
 * network issues it. Refuses when there is no address left or no endpoint is usable.
 */
export async function openTarget(
  context: TargetContext,
  attemptId: string,
  { order, merchant }: Checkout,
  offer: AssetOffer,
  kind: SourceKind,
): Promise<Opened> {
  const { asset, dueAtomic } = offer
  const isPublic = order.source !== 'api'
  const own =
    kind === 'issued' ? null : await allocateAddress(context, merchant.id, attemptId, offer, kind, isPublic)
  try {
    const lockedUntil = context.clock() + LOCK_MS
    const request = { attemptId, asset, own, dueAtomic, label: merchant.name, lockedUntil }
    const target = await askNetwork(context, request)
    const address = 'invoice' in target ? target.invoice : target.address
    return {
      address,
      shared: kind === 'shared',
      payoutAddress: (own && offer.payoutAddress) ?? address,
      addressSource: sourceWithReference(target),
      requiredEndpoints: await requiredEndpointsFor(context, order, asset),
      cursor: target.cursor,
      paymentUri: target.uri,
      ...earlierLock(target, lockedUntil),
    }
  } catch (error) {
    await releaseAddress(context, attemptId, kind)
    throw error
  }
}

export const networkAway = (): BuyerRefusal =>
  new BuyerRefusal(
    'provider_unavailable',
    'network_away',
    'This network cannot be reached at the moment. Choose another method.',
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

/** A target that expires before the lock ends it then. */
const earlierLock = ({ expiresAt }: PaymentTarget, lockedUntil: number) =>
  expiresAt !== undefined && expiresAt < lockedUntil
    ? { lockedUntil: expiresAt, watchUntil: expiresAt + WATCH_MS }
    : {}

/** The reference is stored with the source. */
const sourceWithReference = ({ source, reference }: PaymentTarget): Json =>
  reference === undefined ? source : { ...(source as { [key: string]: Json }), reference }

/** The reference of a stored payment target, for its watch. */
export function storedReference(source: Json): Pick<Watch, 'reference'> {
  const { reference } = (source ?? {}) as { [key: string]: Json }
  return typeof reference === 'string' ? { reference } : {}
}
