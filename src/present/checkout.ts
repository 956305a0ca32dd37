import type { CheckoutModel, CoinChoice, CryptoPart, Part } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset } from '../domain/asset.ts'
import { type Attempt, isLocked, isOpen, lacksOnlyDust, remainingAtomic } from '../domain/attempt.ts'
import { fromUnitsShort } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { AssetOffer, Offers } from '../operations/payments/list-offers.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { coinName, money, price, tickerOf } from './amounts.ts'
import { currentAttempt } from './attempt.ts'
import { type AddressProblem, presentNotices } from './notices.ts'
import { qrSvg } from './qr.ts'

const REFERENCE_LENGTH = 8

export interface CheckoutContext {
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
    merchantName: merchant.name,
    reference: order.externalId ?? order.id.slice(-REFERENCE_LENGTH),
    amount: money(locale, order),
    description: order.productName ?? order.description,
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
  if (offers || !attempt) return choice(locale, checkout.order, offers, attempt)
  return attempt.kind === 'redirect'
    ? redirect(attempt)
    : crypto(locale, checkout.order, attempt, pageContext)
}

const firstTickers = ['BTC', 'ETH', 'USDC', 'USDT']

/** The most common coins come first, the others in the order of the asset table. */
export function coinChoices(locale: Locale, offers: AssetOffer[]): CoinChoice[] {
  const rank = (ticker: string) =>
    firstTickers.includes(ticker) ? firstTickers.indexOf(ticker) : firstTickers.length
  return [...Map.groupBy(offers, ({ asset }) => asset.ticker)]
    .map(([ticker, group]) => ({
      ticker,
      networks: group.map(({ asset, dueAtomic }) => ({
        assetId: asset.id,
        name: group.length === 1 ? coinName(locale, asset.name) : networkName(asset),
        amount: fromUnitsShort(dueAtomic, asset.decimals),
      })),
    }))
    .sort((a, b) => rank(a.ticker) - rank(b.ticker))
}

function choice(locale: Locale, order: Order, offers: Offers | null, attempt: Attempt | undefined): Part {
  return {
    kind: 'choose',
    failure: attempt?.kind === 'redirect' && attempt.state === 'failed' ? failureOf(locale, attempt) : null,
    methods: (offers?.methods ?? []).map(({ method }) => ({
      key: method.key,
      name: method.name,
      // A minimum in another currency is compared by rates, and the provider compares it again.
      note:
        method.minimum && method.minimum.currency !== order.currency
          ? locale.texts.choose.minimum(money(locale, method.minimum))
          : null,
    })),
    coins: coinChoices(locale, offers?.assets ?? []),
    providerAway: offers?.providerAway ?? false,
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
