import { fromUnitsShort } from '../domain/money.ts'
import { isRateValue } from '../domain/quote.ts'

/** A positive rational number: nothing is rounded before the final result. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

/** Max decimals of a rate. */
const PLACES = 30
const UNIT = 10n ** BigInt(PLACES)
/** The precision of prices with endless decimals: enough for every quote. */
const SIGNIFICANT_DIGITS = 18

const decimalPattern = /^([0-9]{1,30})(?:[.]([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,2}))?$/

/** Reads a JSON number or string, with or without an exponent; null unless it is a decimal above zero. */
export function readDecimal(value: unknown): Fraction | null {
  const match = typeof value === 'string' ? decimalPattern.exec(value) : null
  if (!match) return null
  const [, whole = '', places = '', exponent = '0'] = match
  const digits = BigInt(whole + places)
  const shift = Number(exponent) - places.length
  if (digits === 0n) return null
  return shift >= 0
    ? { numerator: digits * 10n ** BigInt(shift), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-shift) }
}

export const ONE: Fraction = { numerator: 1n, denominator: 1n }

export const times = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

export const over = (a: Fraction, b: Fraction): Fraction =>
  times(a, { numerator: b.denominator, denominator: b.numerator })

export const mean = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: 2n * a.denominator * b.denominator,
})

/** Compares two numbers for sorting: negative, zero or positive. */
export function compare(a: Fraction, b: Fraction): number {
  const [left, right] = [a.numerator * b.denominator, b.numerator * a.denominator]
  return left < right ? -1 : left > right ? 1 : 0
}

/** True if the larger number is at most 2 % above the smaller one. */
export function isNear(a: Fraction, b: Fraction): boolean {
  const [low, high] = compare(a, b) < 0 ? [a, b] : [b, a]
  return high.numerator * low.denominator * 50n <= low.numerator * high.denominator * 51n
}

/**
 * Prints a price as a rate. Endless decimals are cut off: a lower rate makes a quote higher, never too low.
 * Null if the price is too small or too large to print.
 */
export function printRate({ numerator, denominator }: Fraction): string | null {
  const units = (numerator * UNIT) / denominator
  const isWhole = units * denominator === numerator * UNIT
  const value = fromUnitsShort(isWhole ? units : shorten(units), PLACES)
  return isRateValue(value) ? value : null
}

function shorten(units: bigint): bigint {
  const surplus = Math.min(units.toString().length - SIGNIFICANT_DIGITS, PLACES)
  return surplus <= 0 ? units : units - (units % 10n ** BigInt(surplus))
}
