import type { Asset } from '../../../domain/asset.ts'
import { minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { quote } from '../../../domain/quote.ts'
import type { Context } from '../../context.ts'

/**
 * How many endpoints have to report a payment of this order: two above the operator's limit. Two as well if
 * there is no rate to compare the order's currency with the limit's. A promise only where rates are needed:
 * a page asks this for each coin.
 */
export function requiredEndpointsFor(
  { policy, rates }: Pick<Context, 'policy' | 'rates'>,
  order: Pick<Order, 'amount' | 'currency'>,
  asset: Asset,
): number | Promise<number> {
  const limit = policy.quorumAbove
  if (limit === null) return 1
  const { amount, currency } = order
  if (limit.currency !== currency) return requiredByRates(rates, order, limit, asset)
  return minorOf(amount, currency) > minorOf(limit.amount, currency) ? 2 : 1
}

async function requiredByRates(
  rates: Context['rates'],
  { amount, currency }: Pick<Order, 'amount' | 'currency'>,
  limit: NonNullable<Context['policy']['quorumAbove']>,
  asset: Asset,
): Promise<number> {
  const [own, other] = await Promise.all([
    rates.rate(asset.id, currency),
    rates.rate(asset.id, limit.currency),
  ])
  if (!own || !other) return 2
  const isAbove =
    quote(amount, currency, own.value, asset) > quote(limit.amount, limit.currency, other.value, asset)
  return isAbove ? 2 : 1
}
