import { fromUnitsShort } from '../../domain/money.ts'

/** Statuses of a payment that has failed for good. */
const failures = new Set(['failed', 'expired', 'canceled', 'cancelled'])

export const isFailure = (status: string): boolean => failures.has(status.toLowerCase())

const amountPattern = /^([0-9]{1,30})(?:[.]([0-9]{1,30}))?$/

/** A positive number of whole coins, without unnecessary zeros; null for any other string. */
export function parseCoinAmount(text: string): string | null {
  const match = amountPattern.exec(text)
  if (!match) return null
  const [, whole, fraction = ''] = match
  const units = BigInt(`${whole}${fraction}`)
  return units === 0n ? null : fromUnitsShort(units, fraction.length)
}

const txIdPattern = /^[A-Za-z0-9_:.+/=-]{1,200}$/
const hexPattern = /^0x[0-9a-f]+$/i

/** A transaction ID in a single spelling, so that duplicates are found; null if malformed. */
export function parseTxId(text: string): string | null {
  if (!txIdPattern.test(text)) return null
  return hexPattern.test(text) ? text.toLowerCase() : text
}
