import { and, asc, count, eq, isNull, max, notExists, notInArray } from 'drizzle-orm'
import type { AddressSources } from '../port.ts'
import { addressSources, attempts, sourceAddresses } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { insertInto, lazy, param } from './statements.ts'

export function sourcesTable(db: Db): AddressSources {
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(addressSources)
      .where(eq(addressSources.merchantId, param('merchantId')))
      .orderBy(asc(addressSources.createdAt), asc(addressSources.id))
      .prepare(),
  )
  const isFreeOf = (sourceId: string) =>
    and(eq(sourceAddresses.sourceId, sourceId), isNull(sourceAddresses.attemptId))
  const itsAttempt = () => db.select().from(attempts).where(eq(attempts.id, sourceAddresses.attemptId))
  return {
    listOf: async merchantId => ofMerchant().execute({ merchantId }),
    async findByKey(network, key) {
      const sameKey = and(eq(addressSources.network, network), eq(addressSources.key, key))
      return first(await db.select().from(addressSources).where(sameKey))
    },
    insert: insertInto(db, addressSources),
    async update(id, change) {
      await db.update(addressSources).set(change).where(eq(addressSources.id, id))
    },
    async free(sourceId, but = []) {
      const rows = await db
        .select()
        .from(sourceAddresses)
        .where(and(isFreeOf(sourceId), notInArray(sourceAddresses.address, but)))
        .orderBy(asc(sourceAddresses.position))
        .limit(1)
      return first(rows)
    },
    async tally(sourceId) {
      const [free] = await db.select({ count: count() }).from(sourceAddresses).where(isFreeOf(sourceId))
      const [all] = await db
        .select({ count: count(), last: max(sourceAddresses.position) })
        .from(sourceAddresses)
        .where(eq(sourceAddresses.sourceId, sourceId))
      return { free: free?.count ?? 0, all: all?.count ?? 0, last: all?.last ?? null }
    },
    async findAddress(network, address) {
      const same = and(eq(sourceAddresses.network, network), eq(sourceAddresses.address, address))
      return first(await db.select().from(sourceAddresses).where(same))
    },
    insertAddress: insertInto(db, sourceAddresses),
    async take(network, address, attemptId, takenAt) {
      const same = and(eq(sourceAddresses.network, network), eq(sourceAddresses.address, address))
      return changed(
        await db
          .update(sourceAddresses)
          .set({ attemptId, takenAt })
          .where(and(same, isNull(sourceAddresses.attemptId)))
          .returning({ address: sourceAddresses.address }),
      )
    },
    async release(attemptId) {
      await db
        .update(sourceAddresses)
        .set({ attemptId: null, takenAt: null })
        .where(and(eq(sourceAddresses.attemptId, attemptId), notExists(itsAttempt())))
    },
  }
}
