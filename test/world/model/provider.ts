import type { CardFact, ProviderFact } from '../facts.ts'
import { type Book, type KnownOrder, type KnownPage, placedPrice } from './book.ts'
import {
  between,
  exactly,
  greater,
  isLess,
  lesser,
  minorOf,
  plus,
  type Range,
  type Ratio,
  ratio,
  sumOf,
  times,
  unitsOf,
  ZERO,
} from './exact.ts'
import { isAcceptedBy } from './known.ts'

/**
 * Rule 5 for providers: a reported payment counts only if the report is proven and the payment was really
 * made.
 */

/** Pages of a provider are paid in a coin with 6 decimals, which is worth one dollar. */
const PLACES = 6

/**
 * A provider converts other currencies at rates of its own, which differ from those of the world by at most
 * this much.
 */
const [NEARER, FARTHER] = [ratio(9n, 10n), ratio(11n, 10n)]

/**
 * The multiple of its price that an order may count for if the requested amount is unknown, because a buyer
 * may send far too much.
 */
const NOT_JUDGED = ratio(1000n)

/** A payment in another coin than the requested one waits for the shop's decision. */
const isRightCoin = ({ coin }: ProviderFact): boolean => !/usdt/i.test(coin)

/** The value of payments in the smallest unit of the order's currency. */
function worthOf(book: Book, order: KnownOrder, facts: ProviderFact[]): Range {
  const units = facts.reduce((sum, { value }) => sum + (unitsOf(value, PLACES) ?? 0n), 0n)
  const currency: string = order.first?.currency ?? 'USD'
  const value = times(ratio(units, 10n ** BigInt(PLACES)), book.prices.perDollar(currency))
  return currency === 'USD' ? exactly(value) : between(times(value, NEARER), times(value, FARTHER))
}

/** The payments to each address that the provider allocated, each transaction once. */
function paidByAddress(
  { provider }: KnownOrder,
  includes: (fact: ProviderFact) => boolean,
): ProviderFact[][] {
  const some = provider.filter(includes)
  return [...Map.groupBy(some, ({ addressIn }) => addressIn).values()].map(own => [
    ...new Map(own.map(fact => [`${fact.txIn} ${fact.txOut}`, fact])).values(),
  ])
}

const amountOf = (order: KnownOrder, { amount, currency }: KnownPage): bigint | null =>
  currency === order.first?.currency ? minorOf(amount, currency) : null

/**
 * The most that payments at a provider can count for. On a page, the usual share of the amount counts as all
 * of it. The model does not know which page an address belongs to, so it takes the one that counts most.
 * Addresses allocated for other coins are not checked.
 */
export const providerMost = (book: Book, order: KnownOrder): Ratio =>
  plus(gatewayMost(book, order), ratio(cardSum(order, 'charged')))

/** The sum of the card payments with this outcome so far, in the smallest unit of the order's currency. */
export const cardSum = ({ cards }: KnownOrder, what: CardFact['what']): bigint =>
  cards.reduce((sum, fact) => sum + (fact.what === what ? fact.minor : 0n), 0n)

function gatewayMost(book: Book, order: KnownOrder): Ratio {
  const price = placedPrice(order)
  if (price === null || order.provider.length === 0) return ZERO
  if (order.provider.some(({ asset }) => asset !== null) || order.pages.length === 0)
    return times(ratio(price), NOT_JUDGED)
  const [share = '0', places = ''] = (book.server?.providerMinReceived ?? '0').split('.')
  const enough = ratio(BigInt(share + places), 10n ** BigInt(places.length))
  const isAccepted = isAcceptedBy(order)
  const addresses = paidByAddress(order, fact => fact.what === 'paid' && (isAccepted || isRightCoin(fact)))
  return sumOf(
    addresses.map(facts => {
      const paid = worthOf(book, order, facts).most
      const best = order.pages.map(page => {
        const asked = ratio(amountOf(order, page) ?? price)
        return isLess(paid, times(asked, enough)) ? paid : greater(asked, paid)
      })
      return best.reduce(greater, ZERO)
    }),
  )
}

/**
 * The least that payments at a provider must count for: a signed callback that was accepted, for the only
 * page of an order, up to the amount of the page.
 */
export function providerLeast(book: Book, order: KnownOrder): Ratio {
  const [page, ...others] = order.pages
  const asked = page ? amountOf(order, page) : null
  const proven = paidByAddress(
    order,
    fact => fact.what === 'callback' && fact.proof === 'signed' && fact.status === 200 && isRightCoin(fact),
  )
  const [facts, ...more] = proven
  const isSure = others.length === 0 && more.length === 0 && order.provider.every(one => one.asset === null)
  if (!facts || asked === null || !isSure) return ZERO
  return lesser(ratio(asked), worthOf(book, order, facts).least)
}
