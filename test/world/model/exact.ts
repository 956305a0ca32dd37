/** Exact arithmetic. The model rounds only where a rule says so. */

/** A fraction. The denominator is above 0. */
export interface Ratio {
  over: bigint
  under: bigint
}

export const ratio = (over: bigint, under = 1n): Ratio => ({ over, under })
export const ZERO = ratio(0n)

export const plus = (one: Ratio, other: Ratio): Ratio =>
  one.under === other.under
    ? ratio(one.over + other.over, one.under)
    : ratio(one.over * other.under + other.over * one.under, one.under * other.under)

export const times = (one: Ratio, other: Ratio): Ratio =>
  ratio(one.over * other.over, one.under * other.under)

export const minus = (one: Ratio, other: Ratio): Ratio => plus(one, ratio(-other.over, other.under))
export const isLess = (one: Ratio, other: Ratio): boolean => one.over * other.under < other.over * one.under
export const lesser = (one: Ratio, other: Ratio): Ratio => (isLess(one, other) ? one : other)
export const greater = (one: Ratio, other: Ratio): Ratio => (isLess(one, other) ? other : one)
export const sumOf = (all: readonly Ratio[]): Ratio => all.reduce(plus, ZERO)

/** The largest integer that is not above a fraction, which must not be negative. */
export const floor = ({ over, under }: Ratio): bigint => over / under
export const ceil = ({ over, under }: Ratio): bigint => (over + under - 1n) / under

/** The bounds of a value. */
export interface Range {
  least: Ratio
  most: Ratio
}

export const exactly = (value: Ratio): Range => ({ least: value, most: value })
export const between = (least: Ratio, most: Ratio): Range => ({ least, most })
export const NOTHING = exactly(ZERO)

/** The smallest range that contains both ranges. */
export const hull = (one: Range, other: Range): Range =>
  between(lesser(one.least, other.least), greater(one.most, other.most))

export const sumOfRanges = (all: readonly Range[]): Range =>
  between(sumOf(all.map(({ least }) => least)), sumOf(all.map(({ most }) => most)))

/** ISO 4217: the currencies whose smallest unit is not a hundredth. */
const PLACES: Record<string, number> = Object.fromEntries([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'VND', 'VUV', 'XAF'].map(
    code => [code, 0] as const,
  ),
  ...['XOF', 'XPF'].map(code => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(code => [code, 3] as const),
])

export const placesOf = (currency: string): number => PLACES[currency] ?? 2
export const tenTo = (places: number): bigint => 10n ** BigInt(places)

/**
 * Converts a decimal to its smallest units; null if it is malformed. It may have fewer decimals than allowed.
 */
export function unitsOf(decimal: string, places: number): bigint | null {
  const match = /^([0-9]{1,40})(?:[.]([0-9]{1,40}))?$/.exec(decimal)
  const fraction = match?.[2] ?? ''
  if (!match || fraction.length > places) return null
  return BigInt(match[1] + fraction.padEnd(places, '0'))
}

export const minorOf = (amount: string, currency: string): bigint | null =>
  unitsOf(amount, placesOf(currency))

/** Formats an amount with all decimals of its currency, as the API does. */
export function amountOf(minor: bigint, currency: string): string {
  const places = placesOf(currency)
  const digits = minor.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** A percentage as a fraction: `2.5` is 25/1000. */
export const percentOf = (percent: string): Ratio => {
  const [whole = '0', fraction = ''] = percent.split('.')
  return ratio(BigInt(whole + fraction), 100n * tenTo(fraction.length))
}

/** Formats a value in smallest units, with two more decimals, for sentences. */
export const shown = (value: Ratio): string => {
  const hundredths = (value.over * 100n) / value.under
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`
}

/** Compares JSON values; the order of the properties does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    mine.length === theirs.size &&
    mine.every(([key, value]) => theirs.has(key) && isSameJson(value, theirs.get(key)))
  )
}
