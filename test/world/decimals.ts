/**
 * Converts a decimal to a number of smallest units: "0.0105" with 3 places is 10. Further digits are cut off.
 */
export function unitsOf(decimal: string, places: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
}

/** Formats a number of smallest units as a decimal. */
export function decimalOf(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export const microsText = (micros: bigint): string => decimalOf(micros, 6)

/** A percentage of an order's amount, as the API writes it. */
export function shareOf({ amount }: { amount: string }, percent: number): string {
  const places = amount.split('.')[1]?.length ?? 0
  return decimalOf((unitsOf(amount, places) * BigInt(percent)) / 100n, places)
}
