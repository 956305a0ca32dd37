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
  #tables: Tables = []
  #rateOf: (assetId: string, currency: string) => Rate
  #from = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY

  constructor(
    private readonly sources: readonly Source[],
    private readonly compute: (assetId: string, currency: string, quotes: Quotes) => Rate,
  ) {
    this.#rateOf = this.#computing([], 0)
  }

  at(tables: Tables, now: number): (assetId: string, currency: string) => Rate {
    if (!this.#isUsable(tables, now)) {
      this.#tables = tables
      this.#rateOf = this.#computing(tables, now)
      this.#from = now
      this.#until = firstExpiry(tables, now)
    }
    return this.#rateOf
  }

  /** False for future times: after the clock was set back, nothing is usable. */
  #isUsable(tables: Tables, now: number): boolean {
    return now >= this.#from && now <= this.#until && tables.every((one, at) => one === this.#tables[at])
  }

  #computing(tables: Tables, now: number): (assetId: string, currency: string) => Rate {
    const received = tables.flatMap((one, at) =>
      one ? [{ ...one, source: asserted(this.sources[at], 'each table has its source') }] : [],
    )
    const known = new Map<string, Map<string, Rate>>()
    return (assetId, currency) => {
      const ofCurrency = known.get(currency) ?? new Map<string, Rate>()
      const rate = ofCurrency.get(assetId)
      if (rate !== undefined) return rate
      const computed = this.compute(assetId, currency, { sources: this.sources, received, now })
      known.set(currency, ofCurrency.set(assetId, computed))
      return computed
    }
  }
}
