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

/** Rule 5 for providers: what a provider tells counts only if it is proven, and if it really was paid there. */

/** Dollars on a provider's page are in a coin of 6 places. */
const PLACES = 6

/** A provider converts other currencies by rates of its own, which are this near to those of the world. */
const [NEARER, FARTHER] = [ratio(9n, 10n), ratio(11n, 10n)]

/** So many times its price, an order may count for where nobody knows what was asked: coins may be sent in excess. */
const NOT_JUDGED = ratio(1000n)

/** Another coin than the page asks for waits for the shop. */
const isRightCoin = ({ coin }: ProviderFact): boolean => !/usdt/i.test(coin)

/** What payments are worth in the smallest unit of the order's currency. */
function worthOf(book: Book, order: KnownOrder, facts: ProviderFact[]): Range {
  const units = facts.reduce((sum, { value }) => sum + (unitsOf(value, PLACES) ?? 0n), 0n)
  const currency: string = order.first?.currency ?? 'USD'
  const value = times(ratio(units, 10n ** BigInt(PLACES)), book.prices.perDollar(currency))
  return currency === 'USD' ? exactly(value) : between(times(value, NEARER), times(value, FARTHER))
}

/** Payments of each address that a provider lent, each transaction once. */
function paidByAddress(
  { provider }: KnownOrder,
  includes: (fact: ProviderFact) => boolean,
): ProviderFact[][] {
  const some = provider.filter(fact => includes(fact) && isRightCoin(fact))
  return [...Map.groupBy(some, ({ addressIn }) => addressIn).values()].map(own => [
    ...new Map(own.map(fact => [`${fact.txIn} ${fact.txOut}`, fact])).values(),
  ])
}

const amountOf = (order: KnownOrder, { amount, currency }: KnownPage): bigint | null =>
  currency === order.first?.currency ? minorOf(amount, currency) : null

/**
 * The most that a provider's payments count. Of what a page asks for, the usual share counts as all of it. Which page
 * an address belongs to is not known, so the best one is taken. Addresses that are lent for other coins are not judged.
 */
export const providerMost = (book: Book, order: KnownOrder): Ratio =>
  plus(gatewayMost(book, order), ratio(cardSum(order, 'charged')))

/** What happened so far to payments by card, in the smallest unit of the order's currency. */
export const cardSum = ({ cards }: KnownOrder, what: CardFact['what']): bigint =>
  cards.reduce((sum, fact) => sum + (fact.what === what ? fact.minor : 0n), 0n)

function gatewayMost(book: Book, order: KnownOrder): Ratio {
  const price = placedPrice(order)
  if (price === null || order.provider.length === 0) return ZERO
  if (order.provider.some(({ asset }) => asset !== null) || order.pages.length === 0)
    return times(ratio(price), NOT_JUDGED)
  const [share = '0', places = ''] = (book.server?.providerMinReceived ?? '0').split('.')
  const enough = ratio(BigInt(share + places), 10n ** BigInt(places.length))
  const addresses = paidByAddress(order, ({ what }) => what === 'paid')
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

/** The least: a signed callback that was taken, for the only page of an order, and no more than it asked for. */
export function providerLeast(book: Book, order: KnownOrder): Ratio {
  const [page, ...others] = order.pages
  const asked = page ? amountOf(order, page) : null
  const proven = paidByAddress(
    order,
    ({ what, proof, status }) => what === 'callback' && proof === 'signed' && status === 200,
  )
  const [facts, ...more] = proven
  const isSure = others.length === 0 && more.length === 0 && order.provider.every(one => one.asset === null)
  if (!facts || asked === null || !isSure) return ZERO
  return lesser(ratio(asked), worthOf(book, order, facts).least)
}
