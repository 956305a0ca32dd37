import { type Amount, amountOf, minorOf, roundHalfUp, toUnits } from './money.ts'

/** A fee as an exact percentage: 0 to 89.9999, or 99. */
export type FeePercent = string

export const feePercentPattern = /^(?:(?:[0-9]|[1-8][0-9])(?:[.][0-9]{1,4})?|99(?:[.]0{1,4})?)$/

const FEE_DECIMALS = 4

/** 100 %, in the units of a fee. */
const WHOLE = 100n * 10n ** BigInt(FEE_DECIMALS)

const feeUnits = (percent: FeePercent): bigint => toUnits(percent, FEE_DECIMALS) ?? 0n

export const isFree = (percent: FeePercent): boolean => feeUnits(percent) === 0n

/** Splits an amount into the platform fee, rounded half up to the minor unit, and the rest. */
export function splitFee(
  amount: Amount,
  currency: string,
  percent: FeePercent,
): { fee: Amount; net: Amount } {
  const minor = minorOf(amount, currency)
  const fee = roundHalfUp(minor * feeUnits(percent), WHOLE)
  return { fee: amountOf(fee, currency), net: amountOf(minor - fee, currency) }
}

/** A fee in millionths: "2.5" percent is 25000n. */
export const feeMillionths = feeUnits
