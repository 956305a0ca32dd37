import { isOnlyMethod } from '../../views/checkout/choose.ts'
import type { BlindModel, CheckoutModel, CoinChoice, Part } from '../../views/checkout/model.ts'
import type { Locale } from '../../views/locale.ts'
import type { Asset } from '../domain/asset.ts'
import { holdsMost, isOpen } from '../domain/attempt.ts'
import { allOf, type Chosen } from '../domain/opening.ts'
import { isPastExpiry, type Order } from '../domain/order.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { isWatched } from '../domain/watch.ts'
import type { Offers } from '../operations/payments/list-offers.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { coinName, money } from './amounts.ts'
import { shownOf } from './attempt.ts'
import { type ChoiceContext, networksOf, presentChoices } from './choose.ts'
import { blindOf, type CryptoContext, presentCrypto } from './crypto.ts'
import { presentElsewhere } from './elsewhere.ts'
import { presentTransactionLink } from './explorer.ts'
import { type HelpTopic, presentShopFor } from './help.ts'
import { type AddressProblem, presentNotices } from './notices.ts'
import { presentMoney, presentOthers } from './order-money.ts'
import { presentPaid } from './paid.ts'
import { taxSentences } from './tax.ts'
import { unminedOf } from './unmined.ts'

const REFERENCE_LENGTH = 8

/** The ID of an order that buyers see: the merchant's own ID, or the end of Florin's ID. */
export const referenceOf = ({ externalId, id }: Order): string => externalId ?? id.slice(-REFERENCE_LENGTH)

/**
 * The URL of an order's page. It contains the language, because a mail may be opened in another browser than
 * the payment.
 */
export const orderUrl = ({ tag }: Locale, checkoutUrl: string, path: string): string =>
  `${checkoutUrl}/pay/${path}?lang=${tag}`

const noOffers: Offers = { methods: [], assets: [], providerAway: false, unreadable: [], isForAmount: false }

export interface CheckoutContext extends ChoiceContext, CryptoContext {
  /** number of attempts when the buyer asked to choose another method; null otherwise */
  choose: number | null
  /** the coin that the buyer has just chosen, if its network could not be reached */
  unreached: Asset | null
  /** true if the buyer asked to check for a payment */
  hasAsked: boolean
  /** when the requested check was left to a later scan; null if the check was made */
  leftAt: number | null
  /** ID of the payment that the page showed first; null for a newly opened page */
  first: string | null
  assetOf(chain: string): Asset | undefined
  /** the refund address that the buyer has just entered, if it was refused */
  refused: AddressProblem | null
  /** base URL of order pages */
  checkoutUrl: string
}

type Closed = (locale: Locale, checkout: Checkout, context: CheckoutContext) => Part

const expired: Closed = (_, checkout, { now }) => ({
  kind: 'expired',
  isEnded: checkout.isEnded,
  hasReceived:
    checkout.attempts.some(({ credited, awaited }) => credited > 0n || awaited !== 0n) ||
    unminedOf(checkout, now).length > 0,
  isWatched: checkout.attempts.some(attempt => isWatched(attempt, now)),
})

const closed: Partial<Record<Order['status'], Closed>> = {
  PAID: presentPaid,
  // The reason of a cancellation is not shown to buyers.
  CANCELLED: () => ({ kind: 'cancelled' }),
  EXPIRED: expired,
  FAILED: () => ({ kind: 'failed' }),
}

/** True if the page shows the choice of payment methods. */
export function showsChoice(checkout: Checkout, pageContext: CheckoutContext): boolean {
  const { order, isBlocked } = checkout
  if (order.status !== 'UNPAID' || isBlocked || isPastExpiry(order, pageContext.now)) return false
  const { current, asked } = shownOf(checkout)
  if (current && asked === 0n) return false
  if (!current || current.state === 'failed') return true
  if (!isOpen(current) && (current.kind !== 'address' || !isWatched(current, pageContext.now))) return true
  const { choose } = pageContext
  return choose !== null && choose >= allOf(checkout).length
}

export function presentCheckout(
  locale: Locale,
  checkout: Checkout,
  offers: Offers | null,
  pageContext: CheckoutContext,
): CheckoutModel {
  const { order, merchant } = checkout
  const part = partOf(locale, checkout, offers, pageContext)
  return {
    orderId: order.id,
    shop: presentShopFor(locale, merchant, topicOf(locale, checkout, pageContext)),
    merchantName: merchant.name,
    reference: referenceOf(order),
    amount: money(locale, order),
    tax: taxSentences(locale, order),
    item: itemOf(order),
    now: formatTimestamp(pageContext.now),
    expiresAt: formatTimestamp(order.expiresAt),
    returnUrl: order.returnUrl ?? merchant.returnUrl,
    attempts: allOf(checkout).length,
    canChoose: !isPastExpiry(order, pageContext.now),
    ...lookOf(checkout, pageContext),
    ...turnOf(locale, checkout, pageContext),
    money: presentMoney(locale, checkout, pageContext),
    blind: blindNetworks(checkout, pageContext),
    others: presentOthers(locale, checkout, pageContext, part),
    part,
    elsewhere: checkout.elsewhere && presentElsewhere(locale, checkout.elsewhere, pageContext),
    notices: presentNotices(locale, checkout, pageContext),
  }
}

/** The subject of a buyer's question: the shown payment, and the last amount that arrived for it. */
function topicOf(locale: Locale, checkout: Checkout, context: CheckoutContext): HelpTopic {
  const { order } = checkout
  const { current } = shownOf(checkout)
  const payment = checkout.payments.findLast(({ attemptId }) => attemptId === current?.id)
  return {
    reference: referenceOf(order),
    url: orderUrl(locale, context.checkoutUrl, order.id),
    method: current ? nameOf(locale, current, context) : null,
    transactionId: (payment && presentTransactionLink(payment, context)?.id) ?? null,
  }
}

const nameOf = (locale: Locale, one: Chosen, { asset }: Pick<CheckoutContext, 'asset'>): string =>
  coinName(locale, (one.kind === 'address' ? asset(one.assetId)?.name : undefined) ?? one.methodName)

/**
 * The last successful check, if the buyer asked for a check. A page never reports a check that was not made.
 */
function lookOf(
  checkout: Checkout,
  { hasAsked, leftAt, blindSince }: CheckoutContext,
): Pick<CheckoutModel, 'checkedAt' | 'isCheckedLater'> {
  const attempt = hasAsked ? shownOf(checkout).current : undefined
  const none = { checkedAt: null, isCheckedLater: false }
  if (!attempt || attempt.kind === 'opening' || blindSince(attempt) !== null) return none
  const { checkedAt } = attempt
  if (leftAt !== null && (checkedAt ?? 0) < leftAt) return { ...none, isCheckedLater: true }
  return checkedAt === null ? none : { ...none, checkedAt: formatTimestamp(checkedAt) }
}

/**
 * The networks of the order's payments that cannot be read. If nothing more is asked for, only that of the
 * shown payment matters.
 */
function blindNetworks(checkout: Checkout, context: CheckoutContext): BlindModel[] {
  const { order, attempts } = checkout
  if (order.status !== 'UNPAID' && order.status !== 'EXPIRED') return []
  const { current, asked } = shownOf(checkout)
  const all = attempts
    .filter(({ id }) => asked > 0n || id === current?.id)
    .map(attempt => blindOf(attempt, context))
    .filter(blind => blind !== null)
  return [...new Map(all.map(blind => [`${blind.network} ${blind.isAddress}`, blind])).values()]
}

/** Identifies a choice of coins. Names and labels are left out, because they follow from the asset. */
function briefly(coins: readonly CoinChoice[]): string {
  let text = ''
  for (const { networks } of coins)
    for (const { network, amount } of networks) text += `${network.assetId} ${amount} `
  return text
}

/** A part without its drawings, which follow from the rest. */
function withoutDrawings(part: Part) {
  if (part.kind === 'choose') {
    const { methods, more, coins, moreCoins } = part.choices
    const keys = [...methods, ...more].map(({ key }) => key)
    return { ...part, choices: [...keys, briefly(coins), briefly(moreCoins)] }
  }
  return part.kind === 'crypto' ? { ...part, qr: part.qr.content } : part
}

/** Identifies the content of a page, except for the time. */
export function fingerprintOf(model: CheckoutModel): string {
  // Only the buyer's own page is compared, so a quick hash is enough.
  return Bun.hash(JSON.stringify({ ...model, now: null, part: withoutDrawings(model.part) })).toString(36)
}

/** The payment that was chosen in another window since this page was opened; null if there is none. */
function turnOf(
  locale: Locale,
  checkout: Checkout,
  { first, asset }: CheckoutContext,
): Pick<CheckoutModel, 'shownFirst' | 'turnedTo'> {
  const { order, attempts } = checkout
  const { current } = shownOf(checkout)
  if (!current) return { shownFirst: null, turnedTo: null }
  const other = attempts.find(({ id, kind }) => id === first && id !== current.id && kind === 'address')
  const isTurned =
    other !== undefined &&
    other.chosenAt < current.chosenAt &&
    order.status === 'UNPAID' &&
    current.kind === 'address'
  return {
    shownFirst: other?.id ?? current.id,
    turnedTo: isTurned ? nameOf(locale, current, { asset }) : null,
  }
}

/**
 * The item of an order. An order for a product has the product's description, unless the shop gave it another
 * one.
 */
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
  const { order } = checkout
  const { current: attempt, asked } = shownOf(checkout)
  const end = closed[order.status]
  // An expired order can still be paid by a payment that is being confirmed.
  if (order.status === 'EXPIRED' && attempt?.kind === 'address' && attempt.state === 'confirming')
    return presentCrypto(locale, checkout, attempt, pageContext)
  if (end) return end(locale, checkout, pageContext)
  const isAsked = asked > 0n
  if (checkout.isBlocked && isAsked) return { kind: 'blocked' }
  const isPast = isPastExpiry(order, pageContext.now)
  if (isPast && isAsked && !(attempt && isOpen(attempt))) return expired(locale, checkout, pageContext)
  if (offers || !attempt) return choice(locale, checkout, offers, pageContext)
  if (attempt.kind !== 'address') return redirect(attempt, isAsked)
  const part = presentCrypto(locale, checkout, attempt, pageContext)
  return isPast && part.kind === 'lapsed' ? expired(locale, checkout, pageContext) : part
}

function choice(
  locale: Locale,
  checkout: Checkout,
  offers: Offers | null,
  pageContext: CheckoutContext,
): Part {
  const { current: attempt } = shownOf(checkout)
  const isFull = holdsMost(checkout.attempts, pageContext.now)
  const choices = presentChoices(locale, offers ?? noOffers, allOf(checkout), pageContext)
  const isFailed = attempt?.state === 'failed' && attempt.kind !== 'address'
  return {
    kind: 'choose',
    isFull,
    choices,
    providerAway: offers?.providerAway ?? false,
    unreached: pageContext.unreached && pageContext.look(pageContext.unreached).network,
    networksAway: networksOf(locale, offers?.unreadable ?? [], pageContext),
    isForAmount: offers?.isForAmount ?? false,
    failure: isFailed ? failureOf(locale, attempt, isOnlyMethod(choices)) : null,
    canGoBack: !isFull && attempt !== undefined && isOpen(attempt),
  }
}

/** The message about a failed payment. If no page was opened, the buyer never reached the provider. */
const failureOf = ({ texts: { choose } }: Locale, { kind, methodName }: Chosen, isOnly: boolean) =>
  kind === 'opening'
    ? {
        title: choose.unavailable({ method: methodName }),
        text: isOnly ? choose.tryInMinutes : choose.chooseOther,
      }
    : { title: choose.declined({ method: methodName }), text: choose.tryAgainOrOther }

const redirect = ({ methodKey, methodName, state }: Chosen, isAsked: boolean): Part => ({
  kind: 'redirect',
  methodKey,
  methodName,
  isAsked,
  isConfirming: state === 'confirming',
})
