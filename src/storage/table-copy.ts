import { createHash } from 'node:crypto'
import { minorOf } from '../domain/money.ts'

/** A table, with its columns in the order of the values in its rows. */
export interface CopiedTable {
  name: string
  columns: readonly string[]
  /** columns of the primary key, by which both engines sort in the same order */
  key: readonly string[]
}

export type CopiedValue = string | number | null | Uint8Array
export type CopiedRow = readonly CopiedValue[]

/** The number of rows of a table, and their hash. */
export interface TableSum {
  name: string
  rows: number
  /** hash of all rows in the order of the primary key */
  sha256: string
}

/** The number and total of the paid orders of a currency. */
export interface PaidSum {
  currency: string
  orders: number
  /** total in minor units of the currency */
  amount: bigint
}

/** Returns a value as it is hashed: with U+FFFD for NUL, because PostgreSQL cannot store NUL in texts. */
const comparable = (value: CopiedValue): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return value instanceof Uint8Array ? { hex: Buffer.from(value).toString('hex') } : value
}

/** Counts and hashes the rows of tables, and adds up the amounts of paid orders. */
export class Tally {
  readonly tables: TableSum[] = []
  readonly #paid = new Map<string, PaidSum>()

  /** Passes rows of a table on, and adds them to the sums. */
  async *count(table: CopiedTable, rows: AsyncIterable<CopiedRow>): AsyncGenerator<CopiedRow> {
    const hash = createHash('sha256')
    let count = 0
    for await (const row of rows) {
      count++
      hash.update(`${JSON.stringify(row.map(comparable))}\n`)
      if (table.name === 'orders') this.#add(table, row)
      yield row
    }
    this.tables.push({ name: table.name, rows: count, sha256: hash.digest('hex') })
  }

  get paid(): PaidSum[] {
    return [...this.#paid.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
  }

  #add({ columns }: CopiedTable, row: CopiedRow): void {
    const [status, currency, amount] = ['status', 'currency', 'amount'].map(name =>
      String(row[columns.indexOf(name)]),
    ) as [string, string, string]
    if (status !== 'PAID') return
    const sum = this.#paid.get(currency) ?? { currency, orders: 0, amount: 0n }
    sum.orders++
    sum.amount += minorOf(amount, currency)
    this.#paid.set(currency, sum)
  }
}

/** Returns the names of the tables whose numbers of rows or hashes differ. */
export function differences(one: readonly TableSum[], other: readonly TableSum[]): string[] {
  const known = new Map(other.map(sum => [sum.name, sum]))
  return one
    .filter(({ name, rows, sha256 }) => known.get(name)?.rows !== rows || known.get(name)?.sha256 !== sha256)
    .map(({ name }) => name)
}
