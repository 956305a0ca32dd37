import type { SourceKind } from '../domain/address-source.ts'
import { type Attempt, isLocked, isOpen } from '../domain/attempt.ts'
import { assert, mustWin, Refusal } from '../domain/errors.ts'
import { moved } from '../domain/machine.ts'
import type { Json } from '../domain/metadata.ts'
import { CRYPTO, offersCrypto } from '../domain/methods.ts'
import { LOCK_MS, quoteStep, SHARED_REST_MS, WATCH_MS } from '../domain/quote.ts'
import { sessionMoves } from '../domain/session.ts'
import { NetworkFault, type OwnedAddress } from '../networks/port.ts'
import type { Tables } from '../storage/port.ts'
import { openChoice } from './choose-way.ts'
import { checkLent, lendAddress } from './lend-address.ts'
import { type Checkout, checkPayable, loadCheckout } from './load-checkout.ts'
import { type AssetOffer, offerAsset } from './offer-methods.ts'
import { recordPaymentEvent } from './record-event.ts'
import { schedulePoll } from './schedule-poll.ts'
import { opinionsOf } from './second-opinions.ts'
import { giveBack, takeAddress } from './take-address.ts'
import type { World } from './world.ts'

/** More than a buyer ever needs, and few enough that nobody fills a disk with them. */
const ATTEMPTS_MAX = 50
/** So many attempts can ask for one amount at a shared address at the same time. */
const SHARED_MAX = 1000n

/**
 * Opens a payment in one asset: an address of its own, an exact amount, a lock of 30 minutes. While an
 * attempt in the same asset is inside its lock, that one is answered.
 */
export async function openCryptoAttempt(world: World, orderId: string, assetId: string): Promise<Attempt> {
  const checkout = await loadCheckout(world, orderId)
  checkPayable(checkout, world.clock())
  const standing = stillLocked(checkout.attempts, assetId, world.clock())
  if (standing) return standing
  const offer = await findOffer(world, checkout, assetId)
  checkRoom(checkout.attempts)
  const id = world.ids.uuid()
  const { kind, opened } = await openAddress(world, id, checkout, offer)
  let placed: Attempt | null = null
  try {
    const attempt = attemptOf(world, id, checkout, offer, opened)
    placed = await world.storage.write(tables => place(world, tables, checkout, attempt))
    return placed
  } finally {
    if (kind && placed?.id !== id) await giveBack(world, id, kind)
  }
}

async function findOffer(world: World, checkout: Checkout, assetId: string): Promise<AssetOffer> {
  const { order, wallet, merchant } = checkout
  const choice = await openChoice(world, merchant)
  const asset = world.networks.asset(assetId)
  const isOffered = offersCrypto(order.methodKeys) && wallet.includeCrypto
  const offer = asset && isOffered ? await offerAsset(world, order, checkout, asset, choice) : null
  if (offer) return offer
  if (await choice.isAway()) throw new Refusal('provider_unavailable')
  throw new Refusal('method_not_offered', 'This asset is not offered for the order at the moment.')
}

/** What an attempt has of its address, besides what every one has. */
type Opened = Partial<Attempt> & { address: string }

/** By the first of the ways that gives an address now; its kind where it is the merchant's own. */
async function openAddress(
  world: World,
  attemptId: string,
  checkout: Checkout,
  offer: AssetOffer,
): Promise<{ kind: SourceKind | null; opened: Opened }> {
  let fault: unknown
  for (const way of offer.ways) {
    try {
      if (way.via === 'own') {
        return { kind: way.kind, opened: await openOwn(world, attemptId, checkout, offer, way.kind) }
      }
      const opened = await lendAddress(world, attemptId, checkout, offer, way.via, way.minimum)
      return { kind: null, opened }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      fault ??= error
    }
  }
  throw fault
}

async function openOwn(
  world: World,
  attemptId: string,
  { order, merchant }: Checkout,
  offer: AssetOffer,
  kind: SourceKind,
): Promise<Opened> {
  const own = await takeAddress(world, merchant.id, attemptId, offer, kind)
  try {
    return {
      address: own.address,
      shared: kind === 'shared',
      payoutAddress: offer.payoutAddress ?? own.address,
      addressSource: own.source,
      opinions: await opinionsOf(world, order, offer.asset),
      cursor: await beginWatch(world, attemptId, offer, own),
    }
  } catch (error) {
    await giveBack(world, attemptId, kind)
    throw error
  }
}

const stillLocked = (attempts: Attempt[], assetId: string, now: number): Attempt | undefined =>
  attempts.find(
    attempt =>
      attempt.methodKey === CRYPTO &&
      attempt.assetId === assetId &&
      isOpen(attempt) &&
      isLocked(attempt, now),
  )

async function beginWatch(
  world: World,
  attemptId: string,
  { asset }: AssetOffer,
  own: OwnedAddress,
): Promise<Json> {
  try {
    const network = world.networks.of(asset.chain)
    assert(network, 'an offered asset has a network')
    return await network.begin(asset, { attemptId, ...own })
  } catch (error) {
    if (!(error instanceof NetworkFault)) throw error
    world.log.warn({ assetId: asset.id, fault: error.message }, 'no address could be opened')
    throw new Refusal(
      'provider_unavailable',
      'This network cannot be reached at the moment. Choose another method.',
    )
  }
}

function checkRoom(attempts: Attempt[]): void {
  if (attempts.length < ATTEMPTS_MAX) return
  throw new Refusal('rate_limited', 'Too many payments were opened for this order.', undefined, 1800)
}

/** The one write: whoever was faster with the same asset keeps his attempt. */
async function place(
  world: World,
  tables: Tables,
  { order: { id: orderId }, merchant }: Checkout,
  wanted: Attempt,
): Promise<Attempt> {
  const found = await tables.orders.find(orderId)
  const attempts = await tables.attempts.listOf(orderId)
  const standing = stillLocked(attempts, wanted.assetId, wanted.createdAt)
  if (standing) return standing
  const status = found && moved(sessionMoves, found.session.status, 'open')
  if (!status || found.order.status !== 'UNPAID') throw new Refusal('order_not_payable')
  checkRoom(attempts)
  await checkLent(world, tables, wanted)
  const attempt = wanted.shared ? await toldApart(world, tables, merchant.name, wanted) : wanted
  await tables.attempts.insert(attempt)
  mustWin(await tables.sessions.move(orderId, found.session.status, status, attempt.createdAt))
  await schedulePoll(tables, attempt, attempt.createdAt)
  await recordPaymentEvent(world, tables, 'payment.created', found.order, attempt)
  return attempt
}

/** At an address that other attempts show too, each asks for another amount: a little more, never less. */
async function toldApart(world: World, tables: Tables, label: string, attempt: Attempt): Promise<Attempt> {
  const { address, assetId, createdAt } = attempt
  const asset = world.networks.asset(assetId)
  assert(asset && address, 'an attempt has an asset and an address')
  const step = quoteStep(asset)
  for (let steps = 0n; steps < SHARED_MAX; steps++) {
    const due = attempt.due + steps * step
    if (await tables.attempts.isShared(address, assetId, due, createdAt - SHARED_REST_MS)) continue
    return { ...attempt, due, enough: due, paymentUri: world.networks.uri(asset, address, due, label) }
  }
  throw new Refusal('provider_unavailable', 'Too many buyers pay this amount now. Choose another method.')
}

function attemptOf(
  world: World,
  id: string,
  { order, merchant }: Checkout,
  { asset, due, rate, payoutAddress }: AssetOffer,
  opened: Opened,
): Attempt {
  const now = world.clock()
  return {
    id,
    merchantId: order.merchantId,
    orderId: order.id,
    kind: 'address',
    provider: null,
    methodKey: CRYPTO,
    methodName: asset.name,
    assetId: asset.id,
    decimals: asset.decimals,
    due,
    enough: due,
    rate: rate.value,
    rateSources: rate.sources,
    rateAt: rate.at,
    shared: false,
    payoutAddress,
    addressSource: null,
    opinions: 1,
    paymentUri: world.networks.uri(asset, opened.address, due, merchant.name),
    redirectUrl: null,
    callbackUrl: null,
    callbackSecret: null,
    providerRef: null,
    feeSplit: false,
    lockedUntil: now + LOCK_MS,
    watchUntil: now + LOCK_MS + WATCH_MS,
    state: 'waiting',
    received: 0n,
    confirmed: 0n,
    confirmations: null,
    requiredConfirmations: asset.confirmations,
    cursor: null,
    checkedAt: null,
    createdAt: now,
    updatedAt: now,
    ...opened,
  }
}
