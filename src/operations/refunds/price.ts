import type { Asset } from '../../domain/asset.ts'
import { rateOf } from '../../domain/attempt.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { type Amount, fromUnitsShort, isPositive, parseAmount } from '../../domain/money.ts'
import { quote } from '../../domain/quote.ts'
import { paidAssets } from '../../domain/refund.ts'
import type { Context } from '../context.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import { settlementOf } from './steps/record-in.ts'

/** An amount of a coin, and the rate by which it was computed. */
interface PricedCoins {
  coins: string
  rate: string
  at: number | null
}

/** The value of a refund in a coin that paid its order. */
export interface RefundPrice {
  amount: Amount
  asset: Asset
  /** coins at the rate of the payment; null if no rate was quoted for this coin */
  paid: PricedCoins | null
  /** coins at the current rate; null if there is none */
  now: PricedCoins | null
}

interface Asked {
  merchantId: string
  orderId: string
  amount: string
  /** the coin; empty for the one that completed the order */
  assetId: string
}

/** Converts the amount of a refund to coins. Stores nothing. */
export async function priceRefund(
  { storage, networks, rates }: Pick<Context, 'storage' | 'networks' | 'rates'>,
  { merchantId, orderId, amount: entered, assetId }: Asked,
): Promise<RefundPrice> {
  if (!isPositive(entered)) throw invalid('/amount', 'must be greater than zero')
  const { order, attempts, paying, paid } = await storage.read(async tables => {
    const { order } = await requireOrder(tables, merchantId, orderId)
    if (order.transactionId === null) throw new Refusal('order_not_refundable')
    const payments = await tables.incomingPayments.listOfOrder(orderId)
    const paid = paidAssets(await settlementOf(tables, order), payments)
    const paying = new Set(payments.filter(one => one.settles).map(({ attemptId }) => attemptId))
    return { order, attempts: await tables.attempts.listOf(orderId), paying, paid }
  })
  const { currency } = order
  const amount = parseAmount(entered, currency, '/amount')
  const coins = paid.flatMap(id => networks.asset(id) ?? [])
  const asset = assetId === '' ? coins[0] : coins.find(({ id }) => id === assetId)
  if (!asset) throw new Refusal('order_not_refundable', 'This order was not paid in this coin.')
  const priced = (value: string, at: number | null): PricedCoins => ({
    coins: fromUnitsShort(quote(amount, currency, { value }, asset), asset.decimals),
    rate: value,
    at,
  })
  const quoted = attempts.findLast(one => one.assetId === asset.id && paying.has(one.id))
  const { rate, rateAt } = quoted ? rateOf(quoted) : { rate: null, rateAt: null }
  const now = await rates.rate(asset.id, currency, true)
  return {
    amount,
    asset,
    paid: rate === null ? null : priced(rate, rateAt),
    now: now && priced(now.value, now.at),
  }
}
