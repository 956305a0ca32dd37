import type { Attempt } from '../../../domain/attempt.ts'
import type { Started } from '../../../domain/opening.ts'
import { MINED_SOON_MS, MINED_WITHIN_MS } from '../../../domain/quote.ts'
import { type Allowance, allowanceOf, type CurrencyRates } from '../../../domain/tolerance.ts'
import type { RateOf } from '../../../rates/port.ts'
import type { Context } from '../../context.ts'
import type { Checkout } from '../load-checkout.ts'

/**
 * Every source of rates has one of these coins. Their prices give the exchange rate between two currencies.
 */
const COMMON_COINS = ['btc', 'ethereum/eth', 'ethereum/usdc']

/**
 * The part of an order that may stay unpaid, the rest below which no more is asked for, and if the order is
 * large. The first two are fixed with the first payment that is opened for an order, and stay the same for
 * all its payments.
 */
export async function allowanceFor(
  { rates }: Pick<Context, 'rates'>,
  { order, merchant, attempts, openings }: Pick<Checkout, 'order' | 'merchant' | keyof Started>,
  assetId?: string,
): Promise<Allowance> {
  const own = assetId === undefined ? COMMON_COINS : [assetId, ...COMMON_COINS]
  const allowance = allowanceOf(
    order,
    merchant.tolerance,
    ratesBetween(await rates.latest(), order.currency, 'USD', own),
  )
  const [first] = [...attempts, ...openings]
  return first ? { ...allowance, tolerance: first.tolerance, dust: first.dust } : allowance
}

/** The prices of the first coin that has a price in both currencies. */
export function ratesBetween(
  rateOf: RateOf,
  currency: string,
  other: string,
  coins: readonly string[] = COMMON_COINS,
): CurrencyRates | null {
  if (currency === other) return { own: '1', other: '1' }
  for (const coin of coins) {
    const own = rateOf(coin, currency)
    const found = rateOf(coin, other)
    if (own && found) return { own: own.value, other: found.value }
  }
  return null
}

/** The part of an allowance that an attempt stores. */
export const termsOf = ({
  tolerance,
  dust,
  isLarge,
}: Allowance): Pick<Attempt, 'tolerance' | 'dust' | 'minedWithinMs'> => ({
  tolerance,
  dust,
  minedWithinMs: isLarge ? MINED_SOON_MS : MINED_WITHIN_MS,
})
