import type { Asset } from '../../../domain/asset.ts'
import { minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { quote } from '../../../domain/quote.ts'
import type { RateOf } from '../../../rates/port.ts'
import type { Context } from '../../context.ts'

/**
 * The number of endpoints that have to report a payment of this order: two if its amount is above the
 * operator's limit, or if no rate is known to compare the order's currency with the limit's; otherwise one.
 */
export function requiredEndpointsFor(
  { quorumAbove: limit }: Pick<Context['policy'], 'quorumAbove'>,
  rateOf: RateOf,
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  asset: Asset,
): number {
  if (limit === null) return 1
  if (limit.currency === currency) {
    return minorOf(amount, currency) > minorOf(limit.amount, currency) ? 2 : 1
  }
  const own = rateOf(asset.id, currency)
  const other = rateOf(asset.id, limit.currency)
  if (!own || !other) return 2
  const due = quote(amount, currency, own, asset)
  return due > quote(limit.amount, limit.currency, other, asset) ? 2 : 1
}
