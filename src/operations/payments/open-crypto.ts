import type { SourceKind } from '../../domain/address-source.ts'
import { type Attempt, isLocked, isOpen } from '../../domain/attempt.ts'
import { assert, Refusal } from '../../domain/errors.ts'
import { CRYPTO, offersCrypto } from '../../domain/payment-methods.ts'
import { LOCK_MS, quoteStep, SHARED_REST_MS, WATCH_MS } from '../../domain/quote.ts'
import { sessionTransitions } from '../../domain/session.ts'
import { nextState } from '../../domain/state-machine.ts'
import type { Tables } from '../../storage/port.ts'
import { releaseAddress } from '../addresses/steps/allocate.ts'
import { checkProviderAddress, openProviderAddress } from '../addresses/steps/open-provider-address.ts'
import type { Context } from '../context.ts'
import { recordPaymentEvent } from '../webhooks/steps/record-event.ts'
import { type AssetOffer, offerAsset } from './list-offers.ts'
import { type Checkout, checkPayable, loadCheckout } from './load-checkout.ts'
import { openChoice } from './steps/choose-route.ts'
import { type Opened, openTarget } from './steps/open-target.ts'
import { scheduleCheck } from './steps/schedule-check.ts'

/** More than a buyer ever needs, and few enough that nobody fills a disk with them. */
const ATTEMPTS_MAX = 50
/** So many attempts can ask for one amount at a shared address at the same time. */
const SHARED_MAX = 1000n

/**
 * Opens a payment in one asset: an address of its own, an exact amount, a lock of 30 minutes. While an
 * attempt in the same asset is inside its lock, that one is answered.
 */
export async function openCryptoAttempt(
  context: Context,
  orderId: string,
  assetId: string,
): Promise<Attempt> {
  const checkout = await loadCheckout(context, orderId)
  checkPayable(checkout, context.clock())
  const standing = stillLocked(checkout.attempts, assetId, context.clock())
  if (standing) return standing
  const offer = await findOffer(context, checkout, assetId)
  checkRoom(checkout.attempts)
  const id = context.ids.uuid()
  const { kind, opened } = await openAddress(context, id, checkout, offer)
  let placed: Attempt | null = null
  try {
    const attempt = attemptOf(context, id, checkout, offer, opened)
    placed = await context.storage.write(tables => place(context, tables, checkout, attempt))
    return placed
  } finally {
    if (kind && placed?.id !== id) await releaseAddress(context, id, kind)
  }
}

async function findOffer(context: Context, checkout: Checkout, assetId: string): Promise<AssetOffer> {
  const { order, wallet, merchant } = checkout
  const choice = await openChoice(context, merchant)
  const asset = context.networks.asset(assetId)
  const isOffered = offersCrypto(order.methodKeys) && wallet.includeCrypto
  const offer = asset && isOffered ? await offerAsset(context, order, checkout, asset, choice) : null
  if (offer) return offer
  if (await choice.isUnavailable()) throw new Refusal('provider_unavailable')
  throw new Refusal('method_not_offered', 'This asset is not offered for the order at the moment.')
}

/** By the first of the ways that gives an address now; its kind where it is the merchant's own. */
async function openAddress(
  context: Context,
  attemptId: string,
  checkout: Checkout,
  offer: AssetOffer,
): Promise<{ kind: SourceKind | null; opened: Opened }> {
  let fault: unknown
  for (const route of offer.routes) {
    try {
      if (route.via === 'own') {
        return { kind: route.kind, opened: await openTarget(context, attemptId, checkout, offer, route.kind) }
      }
      const opened = await openProviderAddress(context, attemptId, checkout, offer, route.via, route.minimum)
      return { kind: null, opened }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      fault ??= error
    }
  }
  throw fault
}

const stillLocked = (attempts: Attempt[], assetId: string, now: number): Attempt | undefined =>
  attempts.find(
    attempt =>
      attempt.methodKey === CRYPTO &&
      attempt.assetId === assetId &&
      isOpen(attempt) &&
      isLocked(attempt, now),
  )

function checkRoom(attempts: Attempt[]): void {
  if (attempts.length < ATTEMPTS_MAX) return
  throw new Refusal('rate_limited', 'Too many payments were opened for this order.', undefined, 1800)
}

/** The one write: whoever was faster with the same asset keeps his attempt. */
async function place(
  context: Context,
  tables: Tables,
  { order: { id: orderId }, merchant }: Checkout,
  wanted: Attempt,
): Promise<Attempt> {
  const found = await tables.orders.find(orderId)
  const attempts = await tables.attempts.listOf(orderId)
  const standing = stillLocked(attempts, wanted.assetId, wanted.createdAt)
  if (standing) return standing
  const status = found && nextState(sessionTransitions, found.session.status, 'open')
  if (!status || found.order.status !== 'UNPAID') throw new Refusal('order_not_payable')
  checkRoom(attempts)
  await checkProviderAddress(context, tables, wanted)
  const attempt = wanted.shared ? await withDistinctAmount(context, tables, merchant.name, wanted) : wanted
  await tables.attempts.insert(attempt)
  await tables.sessions.move(orderId, found.session.status, status, attempt.createdAt)
  await scheduleCheck(tables, attempt, attempt.createdAt)
  await recordPaymentEvent(context, tables, 'payment.created', found.order, attempt)
  return attempt
}

/** At an address that other attempts show too, each asks for another amount: a little more, never less. */
async function withDistinctAmount(
  context: Context,
  tables: Tables,
  label: string,
  attempt: Attempt,
): Promise<Attempt> {
  const { address, assetId, createdAt } = attempt
  const asset = context.networks.asset(assetId)
  assert(asset && address, 'an attempt has an asset and an address')
  const step = quoteStep(asset)
  for (let steps = 0n; steps < SHARED_MAX; steps++) {
    const dueAtomic = attempt.dueAtomic + steps * step
    if (await tables.attempts.isShared(address, assetId, dueAtomic, createdAt - SHARED_REST_MS)) continue
    return {
      ...attempt,
      dueAtomic,
      thresholdAtomic: dueAtomic,
      paymentUri: context.networks.uri(asset, address, dueAtomic, label),
    }
  }
  throw new Refusal('provider_unavailable', 'Too many buyers pay this amount now. Choose another method.')
}

function attemptOf(
  context: Context,
  id: string,
  { order, merchant }: Checkout,
  { asset, dueAtomic, rate, payoutAddress }: AssetOffer,
  opened: Opened,
): Attempt {
  const now = context.clock()
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
    dueAtomic,
    thresholdAtomic: dueAtomic,
    rate: rate.value,
    rateSources: rate.sources,
    rateAt: rate.at,
    shared: false,
    payoutAddress,
    addressSource: null,
    requiredEndpoints: 1,
    paymentUri: opened.paymentUri ?? context.networks.uri(asset, opened.address, dueAtomic, merchant.name),
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
