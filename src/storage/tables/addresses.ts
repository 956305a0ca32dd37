import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, max, ne, notExists, sql } from 'drizzle-orm'
import type { SourceAddress } from '../../domain/address-source.ts'
import type { AddressSources, PayoutChecks, SkippedPayments } from '../port.ts'
import { addressSources, attempts, payoutChecks, skippedPayments, sourceAddresses } from '../schema/index.ts'
import type { Db } from './db.ts'
import {
  byShape,
  changed,
  first,
  insertInto,
  lazy,
  limitParam,
  param,
  putInto,
  updateOf,
} from './statements.ts'

type PoolQueries = 'countPaid' | 'listFree' | 'removeFree'

function poolQueries(db: Db): Pick<AddressSources, PoolQueries> {
  const isFreeOf = (sourceId: string) =>
    and(eq(sourceAddresses.sourceId, sourceId), isNull(sourceAddresses.attemptId))
  return {
    async countPaid(sourceId) {
      const [found] = await db
        .select({ count: count() })
        .from(sourceAddresses)
        .innerJoin(attempts, eq(attempts.id, sourceAddresses.attemptId))
        .where(and(eq(sourceAddresses.sourceId, sourceId), ne(attempts.receivedAtomic, 0n)))
      return found?.count ?? 0
    },
    async listFree(sourceId, limit) {
      const rows = await db
        .select({ address: sourceAddresses.address })
        .from(sourceAddresses)
        .where(isFreeOf(sourceId))
        .orderBy(asc(sourceAddresses.position))
        .limit(limit)
      return rows.map(({ address }) => address)
    },
    async removeFree(sourceId, address) {
      const isOne = address === null ? undefined : eq(sourceAddresses.address, address)
      const removed = await db
        .delete(sourceAddresses)
        .where(and(isFreeOf(sourceId), isOne))
        .returning({ address: sourceAddresses.address })
      return removed.length
    },
  }
}

type RunQueries = 'listPositions' | 'listUnpaid' | 'listDeleted' | 'reclaim' | 'lastPaid' | 'countGiven'

function runQueries(db: Db): Pick<AddressSources, RunQueries> {
  const isOfSource = eq(sourceAddresses.sourceId, param('sourceId'))
  const lastPaid = lazy(() =>
    db
      .select({ position: sourceAddresses.position })
      .from(sourceAddresses)
      .innerJoin(attempts, eq(attempts.id, sourceAddresses.attemptId))
      .where(and(isOfSource, sql`${attempts.receivedAtomic} <> '0'`))
      .orderBy(desc(sourceAddresses.position))
      .limit(limitParam())
      .prepare(),
  )
  const isLater = and(isOfSource, gt(sourceAddresses.position, param('after')))
  const countGiven = lazy(() =>
    db
      .select({ count: count() })
      .from(sourceAddresses)
      .where(and(isLater, isNotNull(sourceAddresses.attemptId)))
      .prepare(),
  )
  return {
    async listPositions(sourceId) {
      const rows = await db
        .select({ position: sourceAddresses.position })
        .from(sourceAddresses)
        .where(eq(sourceAddresses.sourceId, sourceId))
        .orderBy(asc(sourceAddresses.position))
      return rows.map(({ position }) => position)
    },
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
    async listDeleted(sourceId, at) {
      const isBefore = and(isNotNull(sourceAddresses.attemptId), lt(sourceAddresses.allocatedAt, at))
      const rows = await db
        .select({ id: sourceAddresses.attemptId })
        .from(sourceAddresses)
        .leftJoin(attempts, eq(attempts.id, sourceAddresses.attemptId))
        .where(and(eq(sourceAddresses.sourceId, sourceId), isBefore, isNull(attempts.id)))
        .orderBy(asc(sourceAddresses.position))
      return rows.flatMap(({ id }) => (id === null ? [] : [id]))
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
    lastPaid: async sourceId => first(await lastPaid().execute({ sourceId, limit: 1 }))?.position ?? null,
    countGiven: async (sourceId, after) => first(await countGiven().execute({ sourceId, after }))?.count ?? 0,
  }
}

function finders(db: Db): Pick<AddressSources, 'listOf' | 'findFree' | 'findAddress'> {
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(addressSources)
      .where(eq(addressSources.merchantId, param('merchantId')))
      .orderBy(asc(addressSources.createdAt), asc(addressSources.id))
      .prepare(),
  )
  const excluded = db.dialect.textsOf(sql.placeholder('excluded'))
  const isNotExcluded = sql`${sourceAddresses.address} NOT IN ${excluded}`
  const firstFree = byShape<Record<string, unknown>, Promise<SourceAddress[]>>(has =>
    db
      .select()
      .from(sourceAddresses)
      .where(
        and(
          eq(sourceAddresses.sourceId, param('sourceId')),
          isNull(sourceAddresses.attemptId),
          has('excluded') ? isNotExcluded : undefined,
        ),
      )
      .orderBy(asc(sourceAddresses.position))
      .limit(limitParam())
      .prepare(),
  )
  const ofAddress = lazy(() =>
    db
      .select()
      .from(sourceAddresses)
      .where(
        and(eq(sourceAddresses.network, param('network')), eq(sourceAddresses.address, param('address'))),
      )
      .prepare(),
  )
  return {
    listOf: async merchantId => ofMerchant().execute({ merchantId }),
    async findFree(sourceId, excluded = []) {
      // An empty list is left out, because reading it would take longer than the rest of the query.
      const list = excluded.length > 0 ? JSON.stringify(excluded) : null
      return first(await firstFree({ sourceId, excluded: list, limit: 1 }))
    },
    findAddress: async (network, address) => first(await ofAddress().execute({ network, address })),
  }
}

export function sourcesTable(db: Db): AddressSources {
  const isFreeAddressOf = (sourceId: string) =>
    and(eq(sourceAddresses.sourceId, sourceId), isNull(sourceAddresses.attemptId))
  const update = updateOf<typeof addressSources, { id: string }>(
    db,
    addressSources,
    eq(addressSources.id, param('id')),
  )
  const attemptOfAddress = () => db.select().from(attempts).where(eq(attempts.id, sourceAddresses.attemptId))
  return {
    listSkipped: async since =>
      db
        .select()
        .from(addressSources)
        .where(gt(addressSources.skippedAt, since))
        .orderBy(asc(addressSources.skippedAt), asc(addressSources.id)),
    async listWithKey(network) {
      const hasKey = and(eq(addressSources.network, network), isNotNull(addressSources.key))
      return db.select().from(addressSources).where(hasKey)
    },
    insert: insertInto(db, addressSources),
    update: (id, change) => update({ id }, change),
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
    ...poolQueries(db),
    ...finders(db),
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

export function payoutChecksTable(db: Db): PayoutChecks {
  const ofAddress = lazy(() =>
    db
      .select()
      .from(payoutChecks)
      .where(eq(payoutChecks.address, param('address')))
      .orderBy(asc(payoutChecks.chain))
      .prepare(),
  )
  return {
    listOf: async address => ofAddress().execute({ address }),
    put: putInto(db, payoutChecks, payoutChecks.address, payoutChecks.chain),
  }
}

export function skippedPaymentsTable(db: Db): SkippedPayments {
  const isOpenOf = (merchantId: string) =>
    and(eq(skippedPayments.merchantId, merchantId), eq(skippedPayments.status, 'open'))
  const open = lazy(() =>
    db
      .select({ id: skippedPayments.id })
      .from(skippedPayments)
      .where(and(eq(skippedPayments.merchantId, param('merchantId')), eq(skippedPayments.status, 'open')))
      .limit(limitParam())
      .prepare(),
  )
  return {
    find: async id => first(await db.select().from(skippedPayments).where(eq(skippedPayments.id, id))),
    async findAt(address, assetId) {
      const same = and(eq(skippedPayments.address, address), eq(skippedPayments.assetId, assetId))
      return first(await db.select().from(skippedPayments).where(same))
    },
    list: async (merchantId, limit) =>
      db
        .select()
        .from(skippedPayments)
        .where(eq(skippedPayments.merchantId, merchantId))
        .orderBy(desc(skippedPayments.createdAt), desc(skippedPayments.id))
        .limit(limit),
    countOpen: async (merchantId, limit) => (await open().execute({ merchantId, limit })).length,
    insert: insertInto(db, skippedPayments),
    async raise(id, amountAtomic, at) {
      await db
        .update(skippedPayments)
        .set({ amountAtomic, status: 'open', note: null, decidedBy: null, updatedAt: at })
        .where(eq(skippedPayments.id, id))
    },
    resolve: async (merchantId, id, decision) =>
      changed(
        await db
          .update(skippedPayments)
          .set({ ...decision, status: 'resolved' })
          .where(and(eq(skippedPayments.id, id), isOpenOf(merchantId)))
          .returning({ id: skippedPayments.id }),
      ),
  }
}
