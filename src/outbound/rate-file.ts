import { currencyDecimals } from '../domain/currency.ts'
import { fromUnitsShort, toUnits } from '../domain/money.ts'
import { isRateValue } from '../domain/quote.ts'

/** Prices are integers of 10^-30: as many places as a rate's text may have, so that every one is exact. */
const PRICE_DECIMALS = 30
const ONE = 10n ** BigInt(PRICE_DECIMALS)
const SIGNIFICANT_DIGITS = 18

/** What one of each asset, ticker or fiat currency costs, by currency. */
type Prices = Map<string, Map<string, bigint>>

export interface RateTable {
  prices: Prices
  /** the entries that were left out */
  faults: string[]
}

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown

/** Parses JSON with its numbers as they are written, since a float would change them. */
function parseExactly(text: string): unknown {
  const keepNumbers: Reviver = (_key, value, context) => (typeof value === 'number' ? context.source : value)
  try {
    return JSON.parse(text, keepNumbers as Parameters<typeof JSON.parse>[1])
  } catch {
    throw new Error('is not JSON')
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error('is not an object of objects')
  }
  return Object.entries(value)
}

function priceOf(currency: string, value: unknown): bigint | null {
  if (currencyDecimals(currency) === undefined) return null
  return typeof value === 'string' && isRateValue(value) ? toUnits(value, PRICE_DECIMALS) : null
}

/** Reads {"btc": {"USD": "60000"}}. Throws where the whole is wrong; a wrong entry alone is left out. */
export function readRateTable(text: string): RateTable {
  const prices: Prices = new Map()
  const faults: string[] = []
  for (const [name, row] of entriesOf(parseExactly(text))) {
    const costs = new Map<string, bigint>()
    for (const [currency, value] of entriesOf(row)) {
      const price = priceOf(currency, value)
      if (price === null) faults.push(`${name} in ${currency} is not a positive decimal of a known currency`)
      else costs.set(currency, price)
    }
    prices.set(name, costs)
  }
  return { prices, faults }
}

const tickerOf = (assetId: string): string => assetId.slice(assetId.indexOf('/') + 1)

/** What one coin costs; null where the table does not tell. By way of the US dollar where it must be. */
export function priceIn({ prices }: RateTable, assetId: string, currency: string): bigint | null {
  const costs = prices.get(assetId) ?? prices.get(tickerOf(assetId))
  const inDollars = costs?.get('USD')
  const dollars = prices.get(currency)?.get('USD')
  const direct = costs?.get(currency)
  if (direct !== undefined) return direct
  if (inDollars === undefined || dollars === undefined) return null
  const price = shorten((inDollars * ONE) / dollars)
  return price > 0n ? price : null
}

/** Cuts off the places that say nothing any more: a lower rate is a dearer quote, never a cheaper one. */
function shorten(price: bigint): bigint {
  const surplus = Math.min(price.toString().length - SIGNIFICANT_DIGITS, PRICE_DECIMALS)
  if (surplus <= 0) return price
  const step = 10n ** BigInt(surplus)
  return price - (price % step)
}

export const printPrice = (price: bigint): string => fromUnitsShort(price, PRICE_DECIMALS)
