import { currencyDecimals } from './currency.ts'
import { ceilDiv, minorOf, tenTo, toUnits } from './money.ts'
import type { Order } from './order.ts'
import { fractionOf, VALUE_UNIT } from './quote.ts'

/** The share of an order that may stay unpaid: an exact percentage from 0 to 5. */
export type TolerancePercent = string

export const tolerancePattern = /^(?:[0-4](?:[.][0-9]{1,4})?|5(?:[.]0{1,4})?)$/
export const DEFAULT_TOLERANCE: TolerancePercent = '0.5'

const PERCENT_DECIMALS = 4
/** Max value of a tolerated shortfall, in US cents. */
const TOLERANCE_MAX_CENTS = 500n
/** Buyers are not asked for an unpaid part that is worth less than this, in US cents. */
const DUST_CENTS = 10n
/**
 * Orders that are worth more than this, in US cents, get a shorter time until their payments must be mined.
 */
const LARGE_CENTS = 100_000n

/** Price of one coin in the order's currency and in another one. */
export interface CurrencyRates {
  own: string
  other: string
}

type OrderPrice = Pick<Order, 'amount' | 'currency'>

/** Limits in US dollars, converted to units of value of the order's currency. */
export interface Allowance {
  /** the amount that may stay unpaid */
  tolerance: bigint
  /** buyers are not asked for a smaller rest */
  dust: bigint
  isLarge: boolean
}

/**
 * Limits that are fixed when the first payment of an order is opened. Without a US dollar rate nothing is
 * tolerated.
 */
export function allowanceOf(
  order: OrderPrice,
  percent: TolerancePercent,
  rates: CurrencyRates | null,
): Allowance {
  if (rates === null) return { tolerance: 0n, dust: 0n, isLarge: false }
  const price = minorOf(order.amount, order.currency) * VALUE_UNIT
  const share = (price * (toUnits(percent, PERCENT_DECIMALS) ?? 0n)) / (100n * 10n ** 4n)
  const dollars = (cents: bigint) => valueFrom({ minor: cents, currency: 'USD' }, order.currency, rates)
  const most = dollars(TOLERANCE_MAX_CENTS)
  return {
    tolerance: share < most ? share : most,
    dust: dollars(DUST_CENTS),
    isLarge: price > dollars(LARGE_CENTS),
  }
}

/** Converts an amount of another currency to units of value of `currency`. */
export function valueFrom(
  sum: { minor: bigint; currency: string },
  currency: string,
  { own, other }: CurrencyRates,
): bigint {
  const scale = (code: string) => tenTo(currencyDecimals(code) ?? 0)
  const [ownNumerator, ownDenominator] = fractionOf(own)
  const [otherNumerator, otherDenominator] = fractionOf(other)
  const minor = sum.minor * ownNumerator * otherDenominator * scale(currency)
  return (minor * VALUE_UNIT) / (scale(sum.currency) * ownDenominator * otherNumerator)
}

/**
 * The least amount that an attempt asks for, atomic: its network must be able to send it, and it must be
 * worth asking for.
 */
export function dustAtomicOf(
  { dust }: Allowance,
  minimum: bigint,
  { dueAtomic, priced }: { dueAtomic: bigint; priced: bigint },
): bigint {
  const worth = ceilDiv(dust * dueAtomic, priced * VALUE_UNIT)
  return worth > minimum ? worth : minimum
}
