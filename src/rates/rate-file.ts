import { currencyDecimals } from '../domain/currency.ts'
import { isRateValue } from '../domain/quote.ts'
import { isObject, parseExactly } from './exact-json.ts'
import { type Fraction, readDecimal } from './fraction.ts'
import type { RateTable, Row } from './rate-table.ts'

function entriesOf(value: unknown): [string, unknown][] {
  if (!isObject(value)) throw new Error('is not an object of objects')
  return Object.entries(value)
}

function priceOf(currency: string, value: unknown): Fraction | null {
  if (currencyDecimals(currency) === undefined) return null
  return typeof value === 'string' && isRateValue(value) ? readDecimal(value) : null
}

/** Reads {"btc": {"USD": "60000"}}. Throws where the whole is wrong; a wrong entry alone is left out. */
export function readRateTable(text: string): RateTable {
  const rows = new Map<string, Row>()
  const faults: string[] = []
  for (const [name, row] of entriesOf(parseExactly(text))) {
    const costs = new Map<string, Fraction>()
    for (const [currency, value] of entriesOf(row)) {
      const price = priceOf(currency, value)
      if (price === null) faults.push(`${name} in ${currency} is not a positive decimal of a known currency`)
      else costs.set(currency, price)
    }
    rows.set(name, { costs })
  }
  return { rows, faults }
}
