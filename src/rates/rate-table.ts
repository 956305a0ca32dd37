import { currencyDecimals } from '../domain/currency.ts'
import { isRateValue } from '../domain/quote.ts'
import { type Fraction, readDecimal } from './fraction.ts'
import { isObject, parseJson } from './json.ts'
import { SourceError } from './request.ts'

export const DOLLAR = 'USD'
/** The unit of the prices of an exchange that has no prices in dollars. */
export const TETHER = 'USDT'

/** The prices of one coin or currency. */
export interface RateRow {
  /** prices by currency code, or TETHER */
  prices: ReadonlyMap<string, Fraction>
  /** when the source last updated the price, in milliseconds since 1970 UTC, if reported */
  updatedAt?: number | undefined
}

export interface RateTable {
  /** rows by asset ID, ticker in lower case, or currency code */
  rows: ReadonlyMap<string, RateRow>
  /** the entries that were left out, and why; each text completes "The source …" */
  problems: readonly string[]
}

export interface FetchedTable {
  table: RateTable
  /** milliseconds since 1970 UTC */
  fetchedAt: number
}

/** A price in the response of an exchange; null unless it is a positive decimal. */
interface ExchangePrice {
  name: string
  unit: string
  price: Fraction | null
  updatedAt?: number | undefined
}

/** Makes the table of an exchange. Throws if no price is left, so that an older table can still be used. */
export function toRateTable(quoted: readonly ExchangePrice[]): RateTable {
  const rows = quoted.flatMap(({ name, unit, price, updatedAt }): [string, RateRow][] =>
    price ? [[name, { prices: new Map([[unit, price]]), updatedAt }]] : [],
  )
  if (rows.length === 0) throw new SourceError('has no price for any requested coin', 'noPrice')
  const unpriced = quoted.filter(({ price }) => price === null)
  return { rows: new Map(rows), problems: unpriced.map(({ name }) => `has no positive price for ${name}`) }
}

/** Parses {"btc": {"USD": "60000"}}. Throws if the shape is wrong; leaves out single wrong entries. */
export function readRateTable(text: string): RateTable {
  const rows = new Map<string, RateRow>()
  const problems: string[] = []
  for (const [name, row] of entriesOf(parseJson(text))) {
    const prices = new Map<string, Fraction>()
    for (const [currency, value] of entriesOf(row)) {
      const price = readPrice(currency, value)
      if (price === null) problems.push(`has an invalid price or currency for ${name} in ${currency}`)
      else prices.set(currency, price)
    }
    rows.set(name, { prices })
  }
  return { rows, problems }
}

type PrintedRow = [
  name: string,
  prices: [unit: string, numerator: string, denominator: string][],
  at?: number,
]

/** Prints a table as text, for other servers. */
export function printTable({ rows, problems }: RateTable): string {
  const printed = [...rows].map(([name, { prices, updatedAt }]): PrintedRow => {
    const units = [...prices].map(([unit, { numerator, denominator }]): PrintedRow[1][number] => [
      unit,
      `${numerator}`,
      `${denominator}`,
    ])
    return updatedAt === undefined ? [name, units] : [name, units, updatedAt]
  })
  return JSON.stringify({ rows: printed, problems })
}

/** Parses the output of `printTable`. */
export function parseTable(text: string): RateTable {
  const { rows, problems } = JSON.parse(text) as { rows: PrintedRow[]; problems: string[] }
  const parsed = rows.map(([name, units, updatedAt]): [string, RateRow] => {
    const prices = units.map(([unit, numerator, denominator]): [string, Fraction] => [
      unit,
      { numerator: BigInt(numerator), denominator: BigInt(denominator) },
    ])
    return [name, { prices: new Map(prices), updatedAt }]
  })
  return { rows: new Map(parsed), problems }
}

function entriesOf(value: unknown): [string, unknown][] {
  if (!isObject(value)) throw new Error('must be a JSON object of objects')
  return Object.entries(value)
}

function readPrice(currency: string, value: unknown): Fraction | null {
  if (currencyDecimals(currency) === undefined) return null
  return typeof value === 'string' && isRateValue(value) ? readDecimal(value) : null
}
