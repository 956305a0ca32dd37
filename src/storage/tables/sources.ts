import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lt,
  max,
  ne,
  notExists,
  notInArray,
} from 'drizzle-orm'
import type { AddressSources } from '../port.ts'
import { addressSources, attempts, sourceAddresses } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { insertInto, lazy, param } from './statements.ts'

const runQueries = (db: Db): Pick<AddressSources, 'listUnpaid' | 'reclaim' | 'lastPaid' | 'countGiven'> => ({
  async listUnpaid(sourceId, at) {
    const isUnpaid = and(eq(attempts.receivedAtomic, 0n), lt(attempts.watchUntil, at))
    const rows = await db
      .select({ id: attempts.id })
      .from(sourceAddresses)
      .innerJoin(attempts, eq(attempts.id, sourceAddresses.attemptId))
      .where(and(eq(sourceAddresses.sourceId, sourceId), isUnpaid))
      .orderBy(asc(sourceAddresses.position))
    return rows.map(({ id }) => id)
  },
  async reclaim(attemptId) {
    return changed(
      await db
        .update(sourceAddresses)
        .set({ attemptId: null, allocatedAt: null })
        .where(eq(sourceAddresses.attemptId, attemptId))
        .returning({ address: sourceAddresses.address }),
    )
  },
  async lastPaid(sourceId) {
    const [found] = await db
      .select({ position: sourceAddresses.position })
      .from(sourceAddresses)
      .innerJoin(attempts, eq(attempts.id, sourceAddresses.attemptId))
      .where(and(eq(sourceAddresses.sourceId, sourceId), ne(attempts.receivedAtomic, 0n)))
      .orderBy(desc(sourceAddresses.position))
      .limit(1)
    return found?.position ?? null
  },
  async countGiven(sourceId, after) {
    const isLater = and(eq(sourceAddresses.sourceId, sourceId), gt(sourceAddresses.position, after))
    const [found] = await db
      .select({ count: count() })
      .from(sourceAddresses)
      .where(and(isLater, isNotNull(sourceAddresses.attemptId)))
    return found?.count ?? 0
  },
})

export function sourcesTable(db: Db): AddressSources {
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(addressSources)
      .where(eq(addressSources.merchantId, param('merchantId')))
      .orderBy(asc(addressSources.createdAt), asc(addressSources.id))
      .prepare(),
  )
  const isFreeAddressOf = (sourceId: string) =>
    and(eq(sourceAddresses.sourceId, sourceId), isNull(sourceAddresses.attemptId))
  const attemptOfAddress = () => db.select().from(attempts).where(eq(attempts.id, sourceAddresses.attemptId))
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
    async findFree(sourceId, excluded = []) {
      const rows = await db
        .select()
        .from(sourceAddresses)
        .where(and(isFreeAddressOf(sourceId), notInArray(sourceAddresses.address, excluded)))
        .orderBy(asc(sourceAddresses.position))
        .limit(1)
      return first(rows)
    },
    async countAddresses(sourceId) {
      const [free] = await db
        .select({ count: count() })
        .from(sourceAddresses)
        .where(isFreeAddressOf(sourceId))
      const [all] = await db
        .select({ count: count(), last: max(sourceAddresses.position) })
        .from(sourceAddresses)
        .where(eq(sourceAddresses.sourceId, sourceId))
      return { free: free?.count ?? 0, all: all?.count ?? 0, last: all?.last ?? null }
    },
    ...runQueries(db),
    async findAddress(network, address) {
      const same = and(eq(sourceAddresses.network, network), eq(sourceAddresses.address, address))
      return first(await db.select().from(sourceAddresses).where(same))
    },
    insertAddress: insertInto(db, sourceAddresses),
    async allocate(network, address, attemptId, allocatedAt) {
      const same = and(eq(sourceAddresses.network, network), eq(sourceAddresses.address, address))
      return changed(
        await db
          .update(sourceAddresses)
          .set({ attemptId, allocatedAt })
          .where(and(same, isNull(sourceAddresses.attemptId)))
          .returning({ address: sourceAddresses.address }),
      )
    },
    async release(attemptId) {
      await db
        .update(sourceAddresses)
        .set({ attemptId: null, allocatedAt: null })
        .where(and(eq(sourceAddresses.attemptId, attemptId), notExists(attemptOfAddress())))
    },
  }
}
