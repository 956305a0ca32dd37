import type { Asset } from '../../../domain/asset.ts'
import { minorOf } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import { quote } from '../../../domain/quote.ts'
import type { Context } from '../../context.ts'

/**
 * How many endpoints have to report a payment of this order: two above the operator's limit. Two as well if
 * there is no rate to compare the order's currency with the limit's.
 */
export async function requiredEndpointsFor(
  { policy, rates }: Pick<Context, 'policy' | 'rates'>,
  order: Pick<Order, 'amount' | 'currency'>,
  asset: Asset,
): Promise<number> {
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
  const own = await rates.rate(asset.id, currency)
  const other = await rates.rate(asset.id, limit.currency)
  if (!own || !other) return 2
  const due = quote(amount, currency, own, asset)
  return due > quote(limit.amount, limit.currency, other, asset) ? 2 : 1
}
