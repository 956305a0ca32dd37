import { type Amount, amountOf, minorOf, roundHalfUp, toUnits } from './money.ts'

/**
 * An exact percentage from 0 through 99; the specification allows no fraction of 99 and nothing from 90 to
 * 98.
 */
export type FeePercent = string

export const feePercentPattern = /^(?:(?:[0-9]|[1-8][0-9])(?:[.][0-9]{1,4})?|99(?:[.]0{1,4})?)$/

const FEE_DECIMALS = 4

const feeUnits = (percent: FeePercent): bigint => toUnits(percent, FEE_DECIMALS) ?? 0n

export const isFree = (percent: FeePercent): boolean => feeUnits(percent) === 0n

/** Platform fee, rounded half up to the minor unit, and what remains. */
export function splitFee(
  amount: Amount,
  currency: string,
  percent: FeePercent,
): { fee: Amount; net: Amount } {
  const minor = minorOf(amount, currency)
  const fee = roundHalfUp(minor * feeUnits(percent), 100n * 10n ** BigInt(FEE_DECIMALS))
  return { fee: amountOf(fee, currency), net: amountOf(minor - fee, currency) }
}

/** The fee as a share of one, in millionths: "2.5" percent is 25000n. */
export const feeMillionths = feeUnits
