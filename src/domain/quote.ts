import type { Asset } from './asset.ts'
import { currencyDecimals } from './currency.ts'
import { assert } from './errors.ts'
import { type Amount, amountOf, ceilDiv, minorOf, tenTo } from './money.ts'
import { remembered } from './remembered.ts'

/** Time for which a crypto amount and its address are locked. */
export const LOCK_MS = 30 * 60_000
/** Time for which an address is watched after its lock. */
export const WATCH_MS = 7 * 24 * 3600_000
/**
 * Time for which an invoice is looked up after its expiry. Nobody can pay it then, but its server may be late
 * to report that it was paid.
 */
export const INVOICE_WATCH_MS = 24 * 3600_000
/** A payment seen in time stays in time only if it is mined at most this long after the lock ends. */
export const MINED_WITHIN_MS = 6 * 3600_000
/**
 * A shorter limit than `MINED_WITHIN_MS`, for large orders and for attempts that are not the newest: there, a
 * buyer gains more by delaying a payment until the price has moved in their favor.
 */
export const MINED_SOON_MS = 2 * 3600_000
/** Grace at a provider's address. Providers report a payment long after it was sent. */
export const PROVIDER_GRACE_MS = 3 * 3600_000
/**
 * Time for which an amount at a shared address stays reserved after the watch: a payment may be mined late.
 */
export const SHARED_REST_MS = 24 * 3600_000

/** Price of one whole coin in a currency, as a decimal string, with its sources and time. */
export interface Rate {
  value: string
  currency: string
  sources: string[]
  at: number
}

const ratePattern = /^([0-9]{1,30})(?:[.]([0-9]{1,30}))?$/

export const isRateValue = (text: string): boolean => ratePattern.test(text) && /[1-9]/.test(text)

export const fractionOf = remembered((value): readonly [numerator: bigint, denominator: bigint] => {
  const match = ratePattern.exec(value)
  assert(match, 'a rate is a decimal string')
  const fraction = match[2] ?? ''
  return [BigInt(match[1] + fraction), tenTo(fraction.length)]
})

/** The precision of an asset's quotes, as an atomic amount. */
export const quoteStep = ({ decimals, quoteDecimals }: Pick<Asset, 'decimals' | 'quoteDecimals'>): bigint =>
  tenTo(decimals - quoteDecimals)

/** Values are integers of 10^-VALUE_PLACES minor units: enough places to lose no digit of a rate. */
const VALUE_PLACES = 72
export const VALUE_UNIT = tenTo(VALUE_PLACES)

/** Exact value of an amount of a coin at a rate, in units of 1 / VALUE_UNIT of a minor unit. */
export function valueAt(atomic: bigint, decimals: number, rate: string, currency: string): bigint {
  const [numerator, denominator] = fractionOf(rate)
  const minor = atomic * numerator * tenTo(currencyDecimals(currency) ?? 0)
  return (minor * VALUE_UNIT) / (denominator * tenTo(decimals))
}

/** Formats a value as an amount of money, rounded up to the minor unit. */
export const moneyAbove = (value: bigint, { currency }: { currency: string }): Amount =>
  amountOf(ceilDiv(value, VALUE_UNIT), currency)

/** Formats a value as an amount of money, rounded down, so that it is never more than was credited. */
export const moneyBelow = (value: bigint, { currency }: { currency: string }): Amount =>
  amountOf(value / VALUE_UNIT, currency)

/** The atomic amount that covers a price at a rate: exact, and rounded up to the asset's quote precision. */
export function quote(
  amount: Amount,
  currency: string,
  rate: Pick<Rate, 'value'>,
  asset: Pick<Asset, 'decimals' | 'quoteDecimals'>,
): bigint {
  const [numerator, denominator] = coinsFor({ amount, currency, rate: rate.value })
  return ceilDiv(numerator * tenTo(asset.quoteDecimals), denominator) * quoteStep(asset)
}

interface PricedAmount {
  amount: Amount
  currency: string
  /** price of the same coin in `currency` */
  rate: string
}

/** Compares the value of two amounts exactly, as amounts of one coin. */
export function isWorthLess(one: PricedAmount, other: PricedAmount): boolean {
  const [value, divisor] = coinsFor(one)
  const [otherValue, otherDivisor] = coinsFor(other)
  return value * otherDivisor < otherValue * divisor
}

function coinsFor({ amount, currency, rate }: PricedAmount): [numerator: bigint, denominator: bigint] {
  const fiatDecimals = currencyDecimals(currency)
  assert(fiatDecimals !== undefined, 'an amount has an accepted currency')
  const [numerator, denominator] = fractionOf(rate)
  return [minorOf(amount, currency) * denominator, numerator * tenTo(fiatDecimals)]
}

export function isLowerRate(one: string, other: string): boolean {
  const [numerator, denominator] = fractionOf(one)
  const [otherNumerator, otherDenominator] = fractionOf(other)
  return numerator * otherDenominator < otherNumerator * denominator
}

/** The least atomic amount that pays a due if a share of it, in millionths, is enough. */
export const shareOf = (dueAtomic: bigint, millionths: bigint): bigint =>
  ceilDiv(dueAtomic * millionths, 1_000_000n)
