import { parseTable, printTable } from '../rates/rate-table.ts'
import type { SharedTable } from '../rates/shared.ts'
import type { RateSource } from '../rates/sources.ts'
import type { FetchedRatesRow, Storage } from '../storage/port.ts'

/** Identifies a source by a hash, because its URL may contain a key. */
const hashOf = (source: RateSource, coins: readonly string[]): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify([source.kind, source.place, coins])).digest('hex')

/** Rate tables in a database that servers share, so that only one of them asks each source. */
export function sharedRates(storage: Storage, now: () => number) {
  return (from: RateSource, coins: readonly string[]): SharedTable => {
    const source = hashOf(from, coins)
    const none: FetchedRatesRow = { source, prices: null, fetchedAt: null, askedUntil: 0 }
    /** Returns true if `change` changed something. */
    const update = (change: (known: FetchedRatesRow) => Partial<FetchedRatesRow> | null): Promise<boolean> =>
      storage.write(async tables => {
        const known = (await tables.fetchedRates.find(source)) ?? none
        const changed = change(known)
        if (changed) await tables.fetchedRates.put({ ...known, ...changed })
        return changed !== null
      })
    return {
      async find() {
        const found = await storage.read(tables => tables.fetchedRates.find(source))
        const { prices, fetchedAt, askedUntil } = found ?? none
        const isFetched = prices !== null && fetchedAt !== null
        return { fetched: isFetched ? { table: parseTable(prices), fetchedAt } : null, askedUntil }
      },
      claim: (until, found) =>
        update(({ askedUntil, fetchedAt }) => {
          const isAsked = askedUntil > now() || fetchedAt !== (found?.fetchedAt ?? null)
          return isAsked ? null : { askedUntil: until }
        }),
      async keep({ table, fetchedAt }) {
        await update(() => ({ prices: printTable(table), fetchedAt, askedUntil: 0 }))
      },
      async pause(until) {
        await update(() => ({ askedUntil: until }))
      },
    }
  }
}
