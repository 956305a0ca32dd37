import { ceilDiv, fromUnitsShort } from '../../domain/money.ts'

/** An exact decimal number: digits × 10^-places. */
export interface Decimal {
  digits: bigint
  places: number
}

const decimalPattern = /^([0-9]{1,30})(?:[.]([0-9]{1,30}))?(?:[eE]([+-]?[0-9]{1,2}))?$/

/** Parses a number as PHP prints it, including exponents; null if it is negative or not a number. */
export function parseDecimal(text: string): Decimal | null {
  const match = decimalPattern.exec(text)
  if (!match) return null
  const [, whole, fraction = '', exponent = '0'] = match
  const places = fraction.length - Number(exponent)
  const digits = BigInt(`${whole}${fraction}`)
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places }
}

export const roundUp = ({ digits, places }: Decimal, to: number): bigint =>
  ceilDiv(digits * 10n ** BigInt(to), 10n ** BigInt(places))

export const formatDecimal = ({ digits, places }: Decimal): string => fromUnitsShort(digits, places)
