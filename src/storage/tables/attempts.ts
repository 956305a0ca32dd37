import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  type SQL,
  sql,
} from 'drizzle-orm'
import { ceilDiv } from '../../domain/money.ts'
import type { Attempts, IncomingPayments } from '../port.ts'
import { attempts, elsewhere, incomingPayments, orders } from '../schema/index.ts'
import { attemptOf, openingOf, rowOf, startedOf } from './attempt-rows.ts'
import type { Db } from './db.ts'
import { first, insertInto, lazy, limitParam, param, updateOf } from './statements.ts'

function lookUps(db: Db): Pick<Attempts, 'hasAddress' | 'isGiven' | 'countWaiting' | 'listWaiting'> {
  const isUsed = (condition?: SQL) =>
    lazy(() =>
      db
        .select({ id: attempts.id })
        .from(attempts)
        .where(
          and(sql`lower(${attempts.address}) = ${param('address')}`, isNotNull(attempts.address), condition),
        )
        .limit(limitParam())
        .prepare(),
    )
  const [usedByAny, usedAlone] = [isUsed(), isUsed(sql`${attempts.shared} = 0`)]
  // A literal, not a parameter: SQLite uses a partial index only if the query repeats its condition.
  const isWaiting = sql`${attempts.state} = 'waiting'`
  const isLocked = gt(attempts.lockedUntil, param('now'))
  const isOpenAtMerchant = and(eq(attempts.merchantId, param('merchantId')), isWaiting, isLocked)
  const waiting = lazy(() =>
    db.select({ one: sql`1` }).from(attempts).where(isOpenAtMerchant).limit(limitParam()).as('found'),
  )
  const countOfWaiting = lazy(() => db.select({ count: count() }).from(waiting()).prepare())
  const atProviders = lazy(() =>
    db
      .select()
      .from(attempts)
      .where(and(isOpenAtMerchant, isNotNull(attempts.providerRef)))
      .orderBy(asc(attempts.createdAt), asc(attempts.id))
      .limit(limitParam())
      .prepare(),
  )
  const isFound = async (query: typeof usedByAny, address: string): Promise<boolean> =>
    (await query().execute({ address: address.toLowerCase(), limit: 1 })).length > 0
  return {
    hasAddress: address => isFound(usedByAny, address),
    isGiven: address => isFound(usedAlone, address),
    countWaiting: async (merchantId, now, limit) =>
      first(await countOfWaiting().execute({ merchantId, now, limit }))?.count ?? 0,
    async listWaiting(merchantId, now, limit) {
      const rows = await atProviders().execute({ merchantId, now, limit })
      return startedOf(rows).attempts.filter(attempt => attempt.provider !== null)
    },
  }
}

/** Lists page shares with one query per number of digits: digit strings of equal length sort like numbers. */
function pageShares(db: Db): Attempts['listPageShares'] {
  const ofDigits = lazy(() =>
    db
      .select({ share: attempts.pageShare, customerId: orders.customerId, at: attempts.createdAt })
      .from(attempts)
      .innerJoin(orders, eq(orders.id, attempts.orderId))
      .where(
        and(
          eq(attempts.provider, param('provider')),
          eq(attempts.methodKey, param('methodKey')),
          eq(attempts.assetId, param('assetId')),
          sql`length(${attempts.dueAtomic}) = ${param('digits')}`,
          gt(attempts.createdAt, param('since')),
          sql`${attempts.dueAtomic} BETWEEN ${param('least')} AND ${param('most')}`,
          isNotNull(attempts.pageShare),
        ),
      )
      .orderBy(desc(attempts.createdAt))
      .limit(limitParam())
      .prepare(),
  )
  return async ({ provider, methodKey, assetId, dueAtomic }, since, limit) => {
    const [low, high] = [ceilDiv(dueAtomic, 2n).toString(), (dueAtomic * 2n).toString()]
    const lengths = low.length === high.length ? [low.length] : [low.length, high.length]
    const found = await Promise.all(
      lengths.map(digits => {
        const least = digits === low.length ? low : '0'
        const most = digits === high.length ? high : '9'.repeat(digits)
        return ofDigits().execute({ provider, methodKey, assetId, digits, since, least, most, limit })
      }),
    )
    return found
      .flat()
      .sort((one, other) => other.at - one.at)
      .slice(0, limit)
      .map(({ share, customerId }) => ({ share: share ?? 0, customerId }))
  }
}

function ofOneOrder(db: Db): Pick<Attempts, 'listOf' | 'listStarted' | 'listLooked'> {
  const ofOrder = lazy(() =>
    db
      .select()
      .from(attempts)
      .where(eq(attempts.orderId, param('orderId')))
      .orderBy(asc(attempts.createdAt), asc(attempts.id))
      .prepare(),
  )
  const withLooks = lazy(() =>
    db
      .select({ ...getTableColumns(attempts), askedAt: elsewhere.askedAt, chains: elsewhere.chains })
      .from(attempts)
      .leftJoin(elsewhere, eq(elsewhere.attemptId, attempts.id))
      .where(eq(attempts.orderId, param('orderId')))
      .orderBy(asc(attempts.createdAt), asc(attempts.id))
      .prepare(),
  )
  const listStarted = async (orderId: string) => startedOf(await ofOrder().execute({ orderId }))
  return {
    listStarted,
    listOf: async orderId => (await listStarted(orderId)).attempts,
    async listLooked(orderId) {
      const rows = await withLooks().execute({ orderId })
      const looks = rows.flatMap(({ id: attemptId, askedAt, chains }) =>
        chains === null ? [] : [{ attemptId, askedAt, chains }],
      )
      return { ...startedOf(rows), looks }
    },
  }
}

export function attemptsTable(db: Db): Attempts {
  const byId = lazy(() =>
    db
      .select()
      .from(attempts)
      .where(eq(attempts.id, param('id')))
      .prepare(),
  )
  const byIds = lazy(() =>
    db
      .select()
      .from(attempts)
      .where(inArray(attempts.id, db.dialect.textsOf(param('ids'))))
      .prepare(),
  )
  const update = updateOf<typeof attempts, { id: string }>(db, attempts, eq(attempts.id, param('id')))
  const insert = insertInto(db, attempts)
  const find = async (id: string) => first(await byId().execute({ id }))
  return {
    find: async id => attemptOf(await find(id)),
    findAll: async ids => startedOf(await byIds().execute({ ids: JSON.stringify(ids) })).attempts,
    ...ofOneOrder(db),
    async listOfOrders(orderIds) {
      if (orderIds.length === 0) return []
      const rows = await db
        .select()
        .from(attempts)
        .where(inArray(attempts.orderId, orderIds))
        .orderBy(desc(attempts.createdAt), desc(attempts.id))
      return startedOf(rows).attempts
    },
    async isShared(address, assetId, dueAtomic, after) {
      const isSame = and(
        eq(attempts.shared, true),
        eq(attempts.address, address),
        eq(attempts.assetId, assetId),
        eq(attempts.dueAtomic, dueAtomic),
        gt(attempts.watchUntil, after),
      )
      return (await db.select({ id: attempts.id }).from(attempts).where(isSame).limit(1)).length > 0
    },
    ...lookUps(db),
    listPageShares: pageShares(db),
    async findByReference(provider, reference) {
      const isNamed = and(eq(attempts.provider, provider), eq(attempts.providerRef, reference))
      const attempt = attemptOf(first(await db.select().from(attempts).where(isNamed).limit(1)))
      return attempt?.provider == null ? null : attempt
    },
    insert: attempt => insert(rowOf(attempt)),
    update: (id, change) => update({ id }, change),
    findOpening: async id => openingOf(await find(id)),
    insertOpening: opening => insert(rowOf(opening)),
    updateOpening: (id, change) => update({ id }, change),
    storePage: (id, page) => update({ id }, page),
  }
}

export function incomingPaymentsTable(db: Db): IncomingPayments {
  const ofAttempt = lazy(() =>
    db
      .select()
      .from(incomingPayments)
      .where(eq(incomingPayments.attemptId, param('attemptId')))
      .orderBy(asc(incomingPayments.createdAt), asc(incomingPayments.id))
      .prepare(),
  )
  const ofOrder = lazy(() =>
    db
      .select()
      .from(incomingPayments)
      .where(eq(incomingPayments.orderId, param('orderId')))
      .orderBy(asc(incomingPayments.createdAt), asc(incomingPayments.id))
      .prepare(),
  )
  const isTx = and(
    eq(incomingPayments.txId, param('txId')),
    eq(incomingPayments.source, param('source')),
    eq(incomingPayments.txIndex, param('txIndex')),
  )
  const ofTx = lazy(() => db.select().from(incomingPayments).where(isTx).prepare())
  const isId = eq(incomingPayments.id, param('id'))
  const update = updateOf<typeof incomingPayments, { id: string }>(db, incomingPayments, isId)
  return {
    listOf: async attemptId => ofAttempt().execute({ attemptId }),
    listOfOrder: async orderId => ofOrder().execute({ orderId }),
    listByTx: async (source, txId, txIndex) => ofTx().execute({ source, txId, txIndex }),
    insert: insertInto(db, incomingPayments),
    update: (id, change) => update({ id }, change),
  }
}
