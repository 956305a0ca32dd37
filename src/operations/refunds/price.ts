import type { Asset } from '../../domain/asset.ts'
import { rateOf } from '../../domain/attempt.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { type Amount, fromUnitsShort, isPositive, parseAmount } from '../../domain/money.ts'
import { quote } from '../../domain/quote.ts'
import type { Context } from '../context.ts'
import { requireOrder } from '../orders/steps/require-order.ts'
import { settlementOf } from './steps/record-in.ts'

/** An amount of a coin, and the rate by which it was computed. */
interface PricedCoins {
  coins: string
  rate: string
  at: number | null
}

/** The value of a refund in the coin that paid its order. */
export interface RefundPrice {
  amount: Amount
  asset: Asset
  /** coins at the rate of the payment; null if no rate was quoted for this coin */
  paid: PricedCoins | null
  /** coins at the current rate; null if there is none */
  now: PricedCoins | null
}

/** Converts the amount of a refund to coins. Stores nothing. */
export async function priceRefund(
  { storage, networks, rates }: Pick<Context, 'storage' | 'networks' | 'rates'>,
  { merchantId, orderId, amount: entered }: { merchantId: string; orderId: string; amount: string },
): Promise<RefundPrice> {
  if (!isPositive(entered)) throw invalid('/amount', 'must be greater than zero')
  const { order, attempt, receivedCurrency } = await storage.read(async tables => {
    const found = await requireOrder(tables, merchantId, orderId)
    if (found.order.transactionId === null) throw new Refusal('order_not_refundable')
    const { attemptId, receivedCurrency } = await settlementOf(tables, found.order)
    return { order: found.order, attempt: await tables.attempts.find(attemptId), receivedCurrency }
  })
  const { currency } = order
  const amount = parseAmount(entered, currency, '/amount')
  const asset = networks.asset(receivedCurrency ?? '')
  if (!attempt || !asset) throw new Refusal('order_not_refundable', 'This order was not paid in a coin.')
  const priced = (value: string, at: number | null): PricedCoins => ({
    coins: fromUnitsShort(quote(amount, currency, { value }, asset), asset.decimals),
    rate: value,
    at,
  })
  const { rate, rateAt } = rateOf(attempt)
  const now = await rates.rate(asset.id, currency, true)
  return {
    amount,
    asset,
    paid: rate !== null && attempt.assetId === asset.id ? priced(rate, rateAt) : null,
    now: now && priced(now.value, now.at),
  }
}
