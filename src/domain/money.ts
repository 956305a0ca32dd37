import { currencyDecimals } from './currency.ts'
import { assert, invalid } from './errors.ts'
import { remembered } from './remembered.ts'

/** A decimal string with the decimals of its currency, as in the API and the database: "25.00" USD. */
export type Amount = string

const amountPattern = /^[0-9]{1,18}([.][0-9]{1,3})?$/

const powers: bigint[] = []

/** 10^exponent, cached: a page of prices needs the same few powers again and again. */
export function tenTo(exponent: number): bigint {
  const power = powers[exponent] ?? 10n ** BigInt(exponent)
  powers[exponent] = power
  return power
}

function readUnits(text: string, decimals: number): bigint | null {
  const match = /^([0-9]+)(?:[.]([0-9]+))?$/.exec(text)
  if (!match) return null
  const fraction = match[2] ?? ''
  if (fraction.length > decimals) return null
  return BigInt(match[1] + fraction.padEnd(decimals, '0'))
}

const readers: ((text: string) => bigint | null)[] = []

/** Parses a decimal string as an integer of 10^-decimals; null if malformed or with too many decimals. */
export function toUnits(text: string, decimals: number): bigint | null {
  const read = readers[decimals] ?? remembered((text: string) => readUnits(text, decimals))
  readers[decimals] = read
  return read(text)
}

const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/** The digits of a positive integer. The engine formats a number four times as fast as a bigint. */
const digitsOf = (units: bigint): string => (units <= SAFE_MAX ? Number(units) : units).toString()

/** Formats an integer of 10^-decimals with all decimals. */
export function fromUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = digitsOf(units < 0n ? -units : units)
  if (decimals === 0) return sign + digits
  if (digits.length <= decimals) return `${sign}0.${digits.padStart(decimals, '0')}`
  const cut = digits.length - decimals
  return `${sign}${digits.slice(0, cut)}.${digits.slice(cut)}`
}

const ZERO = '0'.charCodeAt(0)

/** Formats an integer of 10^-decimals without trailing zeros, as amounts of coins are shown. */
export function fromUnitsShort(units: bigint, decimals: number): string {
  if (units < 0n) return `-${fromUnitsShort(-units, decimals)}`
  const digits = digitsOf(units)
  const point = digits.length - decimals
  let end = digits.length
  while (end > point && end > 0 && digits.charCodeAt(end - 1) === ZERO) end--
  if (end === 0) return '0'
  if (end <= point) return digits.slice(0, point)
  if (point > 0) return `${digits.slice(0, point)}.${digits.slice(point, end)}`
  return `0.${'0'.repeat(-point)}${digits.slice(0, end)}`
}

const decimalsFor = (currency: string): number => {
  const decimals = currencyDecimals(currency)
  assert(decimals !== undefined, `${currency} is an accepted currency`)
  return decimals
}

export function minorOf(amount: Amount, currency: string): bigint {
  const minor = toUnits(amount, decimalsFor(currency))
  assert(minor !== null, 'a stored amount is a decimal of its currency')
  return minor
}

export const amountOf = (minor: bigint, currency: string): Amount => fromUnits(minor, decimalsFor(currency))

/** True if a decimal string is greater than zero. */
export const isPositive = (amount: string): boolean => /[1-9]/.test(amount)

/**
 * Validates and normalizes an amount of a request. Refuses unknown currencies, zero and too many decimals.
 */
export function parseAmount(amount: string, currency: string, at = ''): Amount {
  const decimals = currencyDecimals(currency)
  if (decimals === undefined) throw invalid(`${at}/currency`, 'must be an ISO 4217 code of a currency in use')
  if (!amountPattern.test(amount))
    throw invalid(`${at}/amount`, 'must be a positive decimal string such as "25.00"')
  const minor = toUnits(amount, decimals)
  if (minor === null)
    throw invalid(`${at}/amount`, `must have at most ${decimals} decimal places in ${currency}`)
  if (minor === 0n) throw invalid(`${at}/amount`, 'must be greater than zero')
  return amountOf(minor, currency)
}

/**
 * The smallest integer of 10^-decimals that is at least `least`, a decimal string that may have more
 * decimals.
 */
export function ceilUnits(least: string, decimals: number): bigint {
  const places = least.split('.')[1]?.length ?? 0
  const units = toUnits(least, places)
  assert(units !== null, 'the minimum amount is a decimal string')
  return ceilDiv(units * tenTo(decimals), 10n ** BigInt(places))
}

/** Compares an integer of 10^-decimals with a decimal string that may have more decimals. */
export const isAtLeast = (units: bigint, decimals: number, least: string): boolean =>
  units >= ceilUnits(least, decimals)

export const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
export const roundHalfUp = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b)

export const total = (values: readonly bigint[]): bigint => values.reduce((sum, one) => sum + one, 0n)
