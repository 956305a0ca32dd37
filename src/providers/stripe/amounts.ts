import { currencies, currencyDecimals } from '../../domain/currency.ts'
import { type Amount, fromUnits, toUnits } from '../../domain/money.ts'

/** The currencies that have no smaller unit at Stripe. */
const zeroDecimal = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** The currencies with three decimals. Stripe requires that the last digit is 0. */
const threeDecimal = 'BHD JOD KWD OMR TND'.split(' ')
/** The currencies in which Stripe takes no charges. */
const refused = 'CUP ERN IQD IRR KPW LYD SDG SSP SYP VED VES'.split(' ')

/** The currencies of orders that can be charged. */
export const chargeable: string[] = currencies.filter(currency => !refused.includes(currency))

/**
 * The decimals of a currency at Stripe. They differ from ISO 4217 for MGA, and for ISK and UGX, whose two
 * decimals at Stripe are always 0.
 */
function decimalsOf(currency: string): number {
  if (zeroDecimal.includes(currency)) return 0
  return threeDecimal.includes(currency) ? 3 : 2
}

/** An amount in Stripe's units; null if it cannot be charged exactly. */
export function toStripe(amount: Amount, currency: string): string | null {
  if (!chargeable.includes(currency)) return null
  const decimals = decimalsOf(currency)
  const exact = amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount
  const units = toUnits(exact, decimals)
  if (units === null || (decimals === 3 && units % 10n !== 0n)) return null
  return units.toString()
}

/**
 * An amount in an answer, with the decimals of its currency; null if it is not an amount of a known currency.
 */
export function fromStripe(units: unknown, currency: unknown): { amount: Amount; currency: string } | null {
  if (typeof units !== 'number' || !Number.isSafeInteger(units) || units < 0) return null
  const code = typeof currency === 'string' ? currency.toUpperCase() : ''
  const own = currencyDecimals(code)
  if (own === undefined || !chargeable.includes(code)) return null
  const theirs = decimalsOf(code)
  const exact = own >= theirs ? BigInt(units) * 10n ** BigInt(own - theirs) : whole(units, theirs - own)
  return exact === null ? null : { amount: fromUnits(exact, own), currency: code }
}

/** Removes digits from the end without rounding; null if one of them is not 0. */
function whole(units: number, digits: number): bigint | null {
  const step = 10n ** BigInt(digits)
  return BigInt(units) % step === 0n ? BigInt(units) / step : null
}
