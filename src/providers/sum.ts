import { currencyDecimals } from '../domain/currency.ts'
import { type Amount, amountOf, toUnits } from '../domain/money.ts'

export interface Sum {
  amount: Amount
  currency: string
}

/** An amount in an answer, from a decimal string; null if it is not an amount of a known currency. */
export function sumOf(value: unknown, currency: unknown): Sum | null {
  const decimals = typeof currency === 'string' ? currencyDecimals(currency) : undefined
  if (typeof currency !== 'string' || typeof value !== 'string' || decimals === undefined) return null
  const units = toUnits(value, decimals)
  return units === null ? null : { amount: amountOf(units, currency), currency }
}

/**
 * A whole amount without its decimals, such as "1000" for "1000.00"; null for an amount that is not whole.
 */
export const withoutDecimals = (amount: unknown): string | null =>
  /^([0-9]+)([.]0+)?$/.exec(String(amount))?.[1] ?? null
