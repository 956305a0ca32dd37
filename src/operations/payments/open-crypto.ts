import type { SourceKind } from '../../domain/address-source.ts'
import {
  type AddressAttempt,
  type Attempt,
  askedMinor,
  isLocked,
  isOpen,
  isShared,
  nothingArrived,
} from '../../domain/attempt.ts'
import { mustWin, Refusal } from '../../domain/errors.ts'
import { LIGHTNING, ON_CHAIN } from '../../domain/lightning.ts'
import { minorOf } from '../../domain/money.ts'
import { nextChoiceAt } from '../../domain/opening.ts'
import { CRYPTO, offersCrypto } from '../../domain/payment-methods.ts'
import { INVOICE_WATCH_MS, LOCK_MS, PROVIDER_GRACE_MS, WATCH_MS } from '../../domain/quote.ts'
import { sessionTransitions } from '../../domain/session.ts'
import { nextState } from '../../domain/state-machine.ts'
import { type Allowance, dustAtomicOf } from '../../domain/tolerance.ts'
import { hasFixedAmount } from '../../domain/upstream.ts'
import type { Tables } from '../../storage/port.ts'
import { releaseAddress } from '../addresses/steps/allocate.ts'
import type { Context } from '../context.ts'
import { scheduleLooks } from '../elsewhere/ask.ts'
import { scheduleMail } from '../notices/schedule-mail.ts'
import { reviewOrder } from '../settlement/record.ts'
import { recordPaymentEvent } from '../webhooks/steps/record-event.ts'
import { type AssetOffer, type OfferContext, offerEach, restOf } from './list-offers.ts'
import { type Checkout, checkOpenable, checkPayable, loadCheckout } from './load-checkout.ts'
import { allowanceFor, termsOf } from './steps/allowance.ts'
import { openChoice } from './steps/choose-route.ts'
import { withLeastTaken } from './steps/least-taken.ts'
import { takeInvoice, withDistinctAmount } from './steps/only-once.ts'
import { openBeside } from './steps/open-beside.ts'
import {
  checkProviderAddress,
  type ForwardingTarget,
  openProviderAddress,
} from './steps/open-provider-address.ts'
import { networkAway, type OwnTarget, openTarget } from './steps/open-target.ts'
import { checkAttemptLimit, countWaiting, WAITING_SCARCE } from './steps/opening-limits.ts'
import { scheduleCheck } from './steps/schedule-check.ts'

type OpenContext = OfferContext & Pick<Context, 'ids' | 'log' | 'invoiceFiles'>
type Target = OwnTarget | ForwardingTarget

interface OpenOptions {
  language?: string
  /**
   * Called before one of the last addresses of an account is used, or one of the last payments that a
   * merchant can have open is opened. May throw to refuse the payment.
   */
  onScarce?(): void
  /** true once nobody waits for the payment any more, so that it is not stored */
  isLate?(): boolean
}

/**
 * Opens a payment in one asset for what is left of the order: with an address of its own, an exact amount,
 * and a quote that holds for 30 minutes. If an open attempt in the same asset still asks for what is left, it
 * is chosen again instead, even past the order's expiry. Nothing is opened if nothing more is asked for. An
 * address for Bitcoin gets an invoice beside it, if the merchant has a Lightning wallet that answers.
 */
export async function openCryptoAttempt(
  context: OpenContext,
  orderId: string,
  assetId: string,
  { language = 'en', onScarce = () => {}, isLate = () => false }: OpenOptions = {},
): Promise<void> {
  const checkout = await loadCheckout(context, orderId)
  checkPayable(checkout)
  const rest = restOf(checkout.order, checkout.attempts)
  if (rest === null) return
  const reused = findReusable(checkout, assetId, context.clock())
  if (reused) return context.storage.write(tables => choose(tables, reused, context.clock()))
  checkOpenable(checkout, context.clock())
  const offer = await findOffer(context, { ...checkout, order: rest }, assetId)
  checkAttemptLimit(checkout, assetId, context.clock())
  const waiting = await countWaiting(context, checkout)
  if (waiting >= WAITING_SCARCE || offer.routes.some(route => route.via === 'own' && route.isScarce))
    onScarce()
  if (assetId === ON_CHAIN) {
    await openBeside(context, checkout, beside =>
      openCryptoAttempt(context, orderId, LIGHTNING, { ...beside, language }),
    )
  }
  const id = context.ids.uuid()
  const { kind, target } = await openAddress(context, id, checkout, offer)
  let stored: string | null = null
  try {
    const allowed = await allowanceFor(context, checkout, offer.asset.id)
    const allowance = await withLeastTaken(context, checkout, allowed, offer)
    const attempt = attemptFor(context, id, { ...checkout, order: rest }, offer, {
      target,
      language,
      allowance,
    })
    if (isLate()) throw networkAway()
    stored = await context.storage.write(tables => storeAttempt(context, tables, checkout, attempt))
  } finally {
    if (kind && stored !== id) await releaseAddress(context, id, kind)
  }
}

async function findOffer(context: OpenContext, checkout: Checkout, assetId: string): Promise<AssetOffer> {
  const { order, wallet, merchant } = checkout
  const asset = context.networks.asset(assetId)
  const choice = await openChoice(context, merchant, order.source !== 'api', asset)
  const isOffered = offersCrypto(order.methodKeys) && wallet.includeCrypto
  const offered = asset && isOffered ? [asset] : []
  const [offer] = await offerEach(context, order, checkout, offered, choice)
  if (offer) return offer
  if (asset && choice.unreadable.has(asset)) throw networkAway()
  if (await choice.isUnavailable()) throw new Refusal('provider_unavailable')
  const message = 'This asset is not offered for the order at the moment.'
  throw new Refusal('method_not_offered', message, { reason: { kind: 'coin_not_offered' } })
}

/** Tries the routes in their order. `kind` is the kind of the merchant's own source that gave the address. */
async function openAddress(
  context: OpenContext,
  attemptId: string,
  checkout: Checkout,
  offer: AssetOffer,
): Promise<{ kind: SourceKind | null; target: Target }> {
  let firstRefusal: Refusal | undefined
  for (const route of offer.routes) {
    try {
      if (route.via === 'own') {
        return { kind: route.kind, target: await openTarget(context, attemptId, checkout, offer, route) }
      }
      const target = await openProviderAddress(context, attemptId, checkout, offer, route.via, route.minimum)
      return { kind: null, target }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      firstRefusal ??= error
    }
  }
  throw firstRefusal ?? new Refusal('method_not_offered')
}

/**
 * Finds an open attempt in an asset that asks for all that is left. An address of its own can ask for less
 * than at first, a shared address cannot. An attempt that was paid in part is used until its grace is over.
 */
const findReusable = (
  { order, attempts }: Pick<Checkout, 'order' | 'attempts'>,
  assetId: string,
  now: number,
): Attempt | undefined =>
  attempts.findLast(attempt => {
    const { methodKey, credited, graceUntil } = attempt
    if (methodKey !== CRYPTO || attempt.assetId !== assetId || !isOpen(attempt)) return false
    if (!(isLocked(attempt, now) || (credited > 0n && now < graceUntil))) return false
    const [priced, left] = [minorOf(attempt.priced, order.currency), askedMinor(order, attempts)]
    return hasFixedAmount(attempt) ? priced === left : priced >= left || credited > 0n
  })

/** Makes an open attempt the one that the buyer chose last. */
async function choose(tables: Tables, { id, orderId, assetId }: Attempt, now: number): Promise<void> {
  const chosenAt = nextChoiceAt(await tables.attempts.listStarted(orderId), now)
  await tables.attempts.update(id, { chosenAt, updatedAt: now })
  await moveSession(tables, orderId, assetId, now)
}

async function moveSession(tables: Tables, orderId: string, assetId: string, now: number) {
  const found = await tables.orders.find(orderId)
  const status = found && nextState(sessionTransitions, found.session.status, 'open')
  if (!status || found.order.status !== 'UNPAID') throw new Refusal('order_not_payable')
  const chosen = { chosenMethod: CRYPTO, chosenAsset: assetId }
  mustWin(await tables.sessions.move(orderId, found.session.status, status, now, chosen))
  return found.order
}

/**
 * Stores an attempt and returns its ID. Of concurrent requests for the same asset, the first one stores its
 * attempt, and the others choose it.
 */
async function storeAttempt(
  context: OpenContext,
  tables: Tables,
  { order: { id: orderId }, merchant }: Checkout,
  wanted: AddressAttempt,
): Promise<string> {
  const { assetId, watchUntil: until, lockedUntil, createdAt: now } = wanted
  const order = await moveSession(tables, orderId, assetId, now)
  const started = await tables.attempts.listStarted(orderId)
  const { attempts } = started
  const chosenAt = nextChoiceAt(started, now)
  const reused = findReusable({ order, attempts }, assetId, now)
  if (reused) {
    await tables.attempts.update(reused.id, { chosenAt, updatedAt: now })
    return reused.id
  }
  // If a part of the order was paid just now, an amount that cannot change may be too large.
  if (hasFixedAmount(wanted)) mustWin(minorOf(wanted.priced, order.currency) <= askedMinor(order, attempts))
  checkAttemptLimit(started, assetId, now)
  await checkProviderAddress(context, tables, wanted)
  await takeInvoice(context, tables, wanted)
  const attempt = isShared(wanted) ? await withDistinctAmount(context, tables, merchant.name, wanted) : wanted
  await tables.attempts.insert({ ...attempt, chosenAt })
  await tables.rates.watch({ assetId, currency: order.currency, until, lockedUntil })
  await scheduleCheck(tables, attempt, now)
  await scheduleLooks(context, tables, attempt)
  await recordPaymentEvent(context, tables, order, { type: 'payment.created', attempt })
  await scheduleMail(context, tables, order, { kind: 'link', attempt })
  // The new attempt may end the grace of an older one.
  if (attempts.length > 0) await reviewOrder(context, tables, orderId)
  return attempt.id
}

function attemptFor(
  context: OpenContext,
  id: string,
  { order, merchant }: Checkout,
  { asset, dueAtomic, rate }: AssetOffer,
  { target, allowance, language }: { target: Target; allowance: Allowance; language: string },
): AddressAttempt {
  const now = context.clock()
  const isOwn = target.provider === null
  const { uri, expiresAt, ...opened } = isOwn ? target : { ...target, uri: undefined, expiresAt: undefined }
  const lockedUntil = Math.min(now + LOCK_MS, expiresAt ?? Infinity)
  const { lateGraceMs } = context.policy
  const graceMs = isOwn ? lateGraceMs : Math.max(PROVIDER_GRACE_MS, lateGraceMs)
  // No wallet pays an expired invoice, so a payment cannot be late.
  const graceLimit = expiresAt === undefined ? lockedUntil + graceMs : lockedUntil
  const priced = minorOf(order.amount, order.currency)
  return {
    ...nothingArrived,
    id,
    merchantId: order.merchantId,
    orderId: order.id,
    kind: 'address',
    methodKey: CRYPTO,
    methodName: asset.name,
    assetId: asset.id,
    decimals: asset.decimals,
    priced: order.amount,
    dueAtomic,
    thresholdAtomic: dueAtomic,
    dustAtomic: dustAtomicOf(allowance, asset.minimum, { dueAtomic, priced }),
    ...termsOf(allowance),
    rate: rate.value,
    rateSources: rate.sources,
    rateAt: rate.at,
    paymentUri: uri ?? context.networks.uri(asset, target.address, dueAtomic, merchant.name),
    refundAddress: null,
    language,
    lockedUntil,
    graceUntil: graceLimit,
    graceLimit,
    watchUntil: expiresAt === undefined ? lockedUntil + WATCH_MS : expiresAt + INVOICE_WATCH_MS,
    requiredConfirmations: isOwn ? asset.confirmations : null,
    chosenAt: now,
    createdAt: now,
    updatedAt: now,
    ...opened,
  }
}
