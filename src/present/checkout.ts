import type { CheckoutModel, CryptoPart, Part } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset } from '../domain/asset.ts'
import { type Attempt, isLocked, isOpen, lacksOnlyDust, remainingAtomic } from '../domain/attempt.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Offers } from '../operations/payments/list-offers.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { coinName, money, price, tickerOf } from './amounts.ts'
import { currentAttempt } from './attempt.ts'
import { type ChoiceContext, presentChoices } from './choose.ts'
import { type AddressProblem, presentNotices } from './notices.ts'
import { qrSvg } from './qr.ts'
import { presentShop } from './shop.ts'

const REFERENCE_LENGTH = 8

const noOffers: Offers = { methods: [], assets: [], providerAway: false }

export interface CheckoutContext extends ChoiceContext {
  now: number
  asset(id: string): Asset | undefined
  /** the URI that pays the remaining amount */
  remainingUri(attempt: Attempt, remaining: bigint): string
  /** the sandbox page that sends test coins to an attempt; null outside the sandbox */
  faucetUrl(attempt: Attempt): string | null
  /** the number of attempts when the buyer asked to choose a method again; null otherwise */
  choose: number | null
  qr: 'uri' | 'address'
  /** when the buyer asked to check for a payment; null if they did not */
  checkedAt: number | null
  /** the refund address that the buyer has just entered, if it was refused */
  refused: AddressProblem | null
}

const closed: Partial<Record<Order['status'], (locale: Locale, checkout: Checkout) => Part>> = {
  PAID: (_, { order, attempts }) => ({
    kind: 'paid',
    paidAt: formatTimestamp(order.paidAt ?? order.updatedAt),
    ...paidWith(attempts),
  }),
  // The reason of a cancellation is not shown to buyers.
  CANCELLED: () => ({ kind: 'cancelled' }),
  EXPIRED: (locale, { attempts }) => ({ kind: 'expired', received: receivedOf(locale, attempts) }),
  FAILED: () => ({ kind: 'failed' }),
}

function paidWith(attempts: Attempt[]): { coins: string | null; method: string | null } {
  const attempt = attempts.find(({ state }) => state === 'settled')
  if (attempt?.kind !== 'address') return { coins: null, method: attempt?.methodName ?? null }
  const amount = fromUnitsShort(attempt.confirmedAtomic, attempt.decimals)
  return { coins: `${amount} ${tickerOf(attempt.assetId)}`, method: null }
}

/** What arrived of the latest crypto payment that was paid in part. */
function receivedOf({ texts }: Locale, attempts: Attempt[]): string | null {
  const attempt = attempts.findLast(({ kind, receivedAtomic }) => kind === 'address' && receivedAtomic > 0n)
  if (!attempt) return null
  const coins = (atomic: bigint) => fromUnitsShort(atomic, attempt.decimals)
  const due = `${coins(attempt.dueAtomic)} ${tickerOf(attempt.assetId)}`
  return texts.crypto.partOf(coins(attempt.receivedAtomic), due)
}

/** Whether the page shows the choice of payment methods. */
export function showsChoice(checkout: Checkout, pageContext: CheckoutContext): boolean {
  const { order, attempts, isBlocked } = checkout
  if (order.status !== 'UNPAID' || isBlocked) return false
  const current = currentAttempt(attempts)
  if (!current || current.state === 'failed') return true
  if (!isOpen(current) && current.kind === 'redirect') return true
  return (
    pageContext.choose !== null && pageContext.choose >= attempts.length && current.state !== 'confirming'
  )
}

export function presentCheckout(
  locale: Locale,
  checkout: Checkout,
  offers: Offers | null,
  pageContext: CheckoutContext,
): CheckoutModel {
  const { order, merchant } = checkout
  return {
    orderId: order.id,
    shop: presentShop(merchant),
    merchantName: merchant.name,
    reference: order.externalId ?? order.id.slice(-REFERENCE_LENGTH),
    amount: money(locale, order),
    item: itemOf(order),
    now: formatTimestamp(pageContext.now),
    expiresAt: formatTimestamp(order.expiresAt),
    returnUrl: order.returnUrl ?? merchant.returnUrl,
    supportEmail: merchant.supportEmail,
    attempts: checkout.attempts.length,
    checkedAt: pageContext.checkedAt === null ? null : formatTimestamp(pageContext.checkedAt),
    part: partOf(locale, checkout, offers, pageContext),
    notices: presentNotices(locale, checkout, pageContext),
  }
}

/** What is bought. A product's description is the order's, unless the shop gave the order its own. */
function itemOf({ productName, description, productImageUrl }: Order): CheckoutModel['item'] {
  const name = productName ?? description
  if (name === null) return null
  return { name, description: productName === null ? null : description, imageUrl: productImageUrl }
}

function partOf(
  locale: Locale,
  checkout: Checkout,
  offers: Offers | null,
  pageContext: CheckoutContext,
): Part {
  const end = closed[checkout.order.status]
  if (end) return end(locale, checkout)
  if (checkout.isBlocked) return { kind: 'blocked' }
  const attempt = currentAttempt(checkout.attempts)
  if (offers || !attempt) return choice(locale, checkout, offers, pageContext)
  return attempt.kind === 'redirect'
    ? redirect(attempt)
    : crypto(locale, checkout.order, attempt, pageContext)
}

function choice(
  locale: Locale,
  { attempts }: Checkout,
  offers: Offers | null,
  pageContext: CheckoutContext,
): Part {
  const attempt = currentAttempt(attempts)
  return {
    kind: 'choose',
    ...presentChoices(locale, offers ?? noOffers, attempts, pageContext),
    failure: attempt?.kind === 'redirect' && attempt.state === 'failed' ? failureOf(locale, attempt) : null,
    canGoBack: attempt !== undefined && isOpen(attempt),
  }
}

/** Without the URL of a page, the buyer never reached the provider. */
const failureOf = ({ texts: { choose } }: Locale, { methodName, redirectUrl }: Attempt) =>
  redirectUrl === null
    ? { title: choose.unavailable(methodName), text: choose.chooseOther }
    : { title: choose.declined(methodName), text: choose.tryAgainOrOther }

const redirect = (attempt: Attempt): Part => ({
  kind: 'redirect',
  methodKey: attempt.methodKey,
  methodName: attempt.methodName,
  state: attempt.receivedAtomic > 0n ? 'underpaid' : 'waiting',
})

function crypto(locale: Locale, order: Order, attempt: Attempt, pageContext: CheckoutContext): Part {
  const asset = pageContext.asset(attempt.assetId)
  const coins = (atomic: bigint) => fromUnitsShort(atomic, attempt.decimals)
  const shared = {
    assetId: attempt.assetId,
    assetName: coinName(locale, asset?.name ?? attempt.assetId),
    ticker: asset?.ticker ?? tickerOf(attempt.assetId),
    amount: coins(attempt.dueAtomic),
    received: attempt.receivedAtomic > 0n ? coins(attempt.receivedAtomic) : null,
  }
  const isLapsed = !isLocked(attempt, pageContext.now) && attempt.state !== 'confirming'
  if (isLapsed || !isOpen(attempt)) return { kind: 'lapsed', ...shared }
  const address = attempt.address ?? ''
  const remaining = remainingAtomic(attempt)
  const isPartlyPaid = remaining > 0n && remaining < attempt.dueAtomic
  const uri = (isPartlyPaid ? pageContext.remainingUri(attempt, remaining) : attempt.paymentUri) ?? address
  return {
    kind: 'crypto',
    ...shared,
    network: networkName(asset),
    address,
    uri,
    qr: { svg: qrSvg(pageContext.qr === 'uri' ? uri : address), content: pageContext.qr },
    lockedUntil: formatTimestamp(attempt.lockedUntil),
    state: attempt.state as CryptoPart['state'],
    lacksOnlyDust: lacksOnlyDust(attempt),
    remaining: attempt.state === 'underpaid' ? coins(remaining) : null,
    confirmations: attempt.confirmations ?? 0,
    requiredConfirmations: attempt.requiredConfirmations,
    rate: attempt.rate && `1 ${shared.ticker} = ${price(locale, attempt.rate, order.currency)}`,
    isShared: attempt.shared,
    faucetUrl: pageContext.faucetUrl(attempt),
  }
}

/** The network to pay on: "Polygon" for "USDC on Polygon", "Bitcoin" for "Bitcoin". */
const networkName = (asset: Asset | undefined): string => asset?.name.split(' on ').at(-1) ?? ''
