import { fromUnitsShort } from '../../domain/money.ts'

/** Words of the gateway for a payment that will not come. */
const failures = new Set(['failed', 'expired', 'canceled', 'cancelled'])

export const isFailure = (status: string): boolean => failures.has(status.toLowerCase())

const coinsPattern = /^([0-9]{1,30})(?:[.]([0-9]{1,30}))?$/

/** A positive number of whole coins, without zeros that say nothing; null for any other text. */
export function coinsOf(text: string): string | null {
  const match = coinsPattern.exec(text)
  if (!match) return null
  const [, whole, fraction = ''] = match
  const units = BigInt(`${whole}${fraction}`)
  return units === 0n ? null : fromUnitsShort(units, fraction.length)
}

const txIdPattern = /^[A-Za-z0-9_:.+/=-]{1,200}$/
const hexPattern = /^0x[0-9a-f]+$/i

/** The id of a transaction, spelled in one way only; null where it is none. */
export function txIdOf(text: string): string | null {
  if (!txIdPattern.test(text)) return null
  return hexPattern.test(text) ? text.toLowerCase() : text
}
