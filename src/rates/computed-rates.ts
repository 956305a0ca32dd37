import { asserted } from '../domain/errors.ts'
import { type Quotes, type Source, USABLE_MS } from './compute-rate.ts'
import type { FetchedTable } from './rate-table.ts'

type Tables = readonly (FetchedTable | null)[]

/** The first time after `now` at which one of the prices becomes too old. */
function firstExpiry(tables: Tables, now: number): number {
  let first = Number.POSITIVE_INFINITY
  for (const fetched of tables) {
    if (fetched === null) continue
    const { fetchedAt, table } = fetched
    for (const at of [
      fetchedAt,
      ...[...table.rows.values()].map(({ updatedAt }) => updatedAt ?? fetchedAt),
    ]) {
      const expiry = Math.min(at, fetchedAt) + USABLE_MS
      if (expiry >= now && expiry < first) first = expiry
    }
  }
  return first
}

/**
 * Caches computed rates until one of the tables is replaced or one of their prices becomes too old. A page
 * shows the prices of many coins, and the tables change once a minute.
 */
export class ComputedRates<Rate> {
  readonly #sources: readonly Source[]
  readonly #computed = new Map<string, Rate>()
  #tables: Tables = []
  #received: Quotes['received'] = []
  #from = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY

  constructor(sources: readonly Source[]) {
    this.#sources = sources
  }

  get(key: string, tables: Tables, now: number, compute: (quotes: Quotes) => Rate): Rate {
    if (!this.#isUsable(tables, now)) this.#restart(tables, now)
    const known = this.#computed.get(key)
    if (known !== undefined) return known
    const rate = compute({ sources: this.#sources, received: this.#received, now })
    this.#computed.set(key, rate)
    return rate
  }

  /** False for future times: after the clock was set back, nothing is usable. */
  #isUsable(tables: Tables, now: number): boolean {
    return now >= this.#from && now <= this.#until && tables.every((one, at) => one === this.#tables[at])
  }

  #restart(tables: Tables, now: number): void {
    this.#computed.clear()
    this.#tables = tables
    this.#received = tables.flatMap((one, at) =>
      one ? [{ ...one, source: asserted(this.#sources[at], 'each table has its source') }] : [],
    )
    this.#from = now
    this.#until = firstExpiry(tables, now)
  }
}
