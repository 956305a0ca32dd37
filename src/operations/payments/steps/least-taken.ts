import type { MethodTerms } from '../../../domain/catalogue.ts'
import { minorOf } from '../../../domain/money.ts'
import { allOf } from '../../../domain/opening.ts'
import type { Order } from '../../../domain/order.ts'
import { VALUE_UNIT } from '../../../domain/quote.ts'
import { type Allowance, valueFrom } from '../../../domain/tolerance.ts'
import type { RateOf } from '../../../rates/port.ts'
import { type AssetOffer, type OfferContext, type Offers, offerMethods } from '../list-offers.ts'
import type { Checkout } from '../load-checkout.ts'
import { ratesBetween } from './allowance.ts'
import { minimumIn, ratesForMinimums } from './check-minimum.ts'

/**
 * Raises the rest that is not asked for to the least amount that a method of the order takes. It is fixed
 * with the first payment. A provider that does not answer offers nothing, so a rest cannot be paid there. If
 * a coin was chosen, the other methods are compared only if the coin does not take such a small rest.
 */
export async function withLeastTaken(
  context: OfferContext,
  checkout: Checkout,
  allowance: Allowance,
  known: Offers | AssetOffer,
): Promise<Allowance> {
  const { order } = checkout
  const isCoin = 'routes' in known
  if (allOf(checkout).length > 0 || (isCoin && leastOfCoin(order, known) <= allowance.dust)) return allowance
  const { methods, assets } = isCoin ? await offerMethods(context, order, checkout) : known
  const terms = methods.map(({ method }) => method)
  const rateOf = await ratesForMinimums(context, order, terms)
  const all = [
    ...assets.map(offer => leastOfCoin(order, offer)),
    ...terms.map(method => leastOfMethod(rateOf, order, method)),
  ]
  const [first = 0n, ...others] = all
  const least = others.reduce((lowest, one) => (one < lowest ? one : lowest), first)
  return least > allowance.dust ? { ...allowance, dust: least } : allowance
}

/** The least amount that a coin takes, in units of value of the order's currency. */
function leastOfCoin({ amount, currency }: Order, { routes, dueAtomic }: AssetOffer): bigint {
  const minimums = routes.map(({ minimum }) => (minimum * minorOf(amount, currency) * VALUE_UNIT) / dueAtomic)
  return minimums.reduce((lowest, one) => (one < lowest ? one : lowest))
}

/**
 * The least amount that a card or bank takes, in the same units; 0 if it is in another currency without a
 * rate.
 */
function leastOfMethod(
  rateOf: RateOf,
  { currency }: Order,
  method: Pick<MethodTerms, 'minimum' | 'minimums'>,
): bigint {
  const minimum = minimumIn(method, currency)
  if (!minimum) return 0n
  const prices = ratesBetween(rateOf, currency, minimum.currency)
  const minor = minorOf(minimum.amount, minimum.currency)
  return prices === null ? 0n : valueFrom({ minor, currency: minimum.currency }, currency, prices)
}
