import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Customer } from '../../domain/customer.ts'
import { emailKey } from '../../domain/merchant.ts'
import type { PageStart } from '../../domain/page.ts'
import { asTestShop, isTestShop, shopOf } from '../../domain/test-shop.ts'
import type { AuditLog, Customers, Keys, Merchants, Setup, Wallets } from '../port.ts'
import { auditLog, customers, keys, merchants, setupSkips, wallets } from '../schema/index.ts'
import type { Db } from './db.ts'
import { startsWith } from './keyset.ts'
import {
  changed,
  columnParams,
  conflictOn,
  first,
  insertInto,
  lazy,
  param,
  putInto,
  updateOf,
} from './statements.ts'

const { number: _, ...columns } = getTableColumns(merchants)

export function merchantsTable(db: Db): Merchants {
  const byId = lazy(() =>
    db
      .select(columns)
      .from(merchants)
      .where(eq(merchants.id, param('id')))
      .prepare(),
  )
  const byEmail = lazy(() =>
    db
      .select(columns)
      .from(merchants)
      .where(eq(merchants.emailKey, param('emailKey')))
      .prepare(),
  )
  const all = lazy(() =>
    db.select(columns).from(merchants).orderBy(asc(merchants.createdAt), asc(merchants.id)).prepare(),
  )
  // A trigger of the database assigns the number.
  const insert = insertInto(db, merchants, { number: sql`NULL` })
  const insertNew = lazy(() =>
    db
      .insert(merchants)
      .values({ ...columnParams(merchants), number: sql`NULL` })
      .onConflictDoNothing()
      .prepare(),
  )
  return {
    async find(id) {
      const merchant = first(await byId().execute({ id: shopOf(id) }))
      return merchant && isTestShop(id) ? asTestShop(merchant) : merchant
    },
    findByEmail: async email => first(await byEmail().execute({ emailKey: emailKey(email) })),
    list: async () => (await all().execute()).filter(({ id }) => !isTestShop(id)),
    listTestShops: async () => (await all().execute()).map(({ id }) => id).filter(isTestShop),
    async ensureTestShop(merchant) {
      const shop = asTestShop(merchant)
      // Email addresses of merchants are unique. This one is never used.
      const email = `${shop.id}@test.invalid`
      await insertNew().execute({ ...shop, email, emailKey: email })
    },
    insert: merchant => insert({ ...merchant, emailKey: emailKey(merchant.email) }),
    update: async (id, change) =>
      first(await db.update(merchants).set(change).where(eq(merchants.id, id)).returning(columns)),
  }
}

export const setupTable = (db: Db): Setup => ({
  async listSkipped(merchantId) {
    const rows = await db
      .select({ step: setupSkips.step })
      .from(setupSkips)
      .where(eq(setupSkips.merchantId, merchantId))
    return rows.map(({ step }) => step)
  },
  async skip(merchantId, step, at) {
    await db.insert(setupSkips).values({ merchantId, step, skippedAt: at }).onConflictDoNothing()
  },
  async resume(merchantId, step) {
    await db.delete(setupSkips).where(and(eq(setupSkips.merchantId, merchantId), eq(setupSkips.step, step)))
  },
})

export function keysTable(db: Db): Keys {
  const byId = lazy(() =>
    db
      .select()
      .from(keys)
      .where(eq(keys.id, param('id')))
      .prepare(),
  )
  const isUnused = or(isNull(keys.lastUsedAt), lte(keys.lastUsedAt, param('unusedSince')))
  const update = updateOf<typeof keys, { id: string; unusedSince: number }>(
    db,
    keys,
    and(eq(keys.id, param('id')), isUnused),
  )
  return {
    find: async id => first(await byId().execute({ id })),
    listOf: async merchantId =>
      db
        .select()
        .from(keys)
        .where(eq(keys.merchantId, merchantId))
        .orderBy(asc(keys.createdAt), asc(keys.id)),
    insert: insertInto(db, keys),
    findBySecret: async secretHash =>
      first(await db.select().from(keys).where(eq(keys.secretHash, secretHash)).limit(1)),
    pair: async ({ id, secretHash }, change) =>
      changed(
        await db
          .update(keys)
          .set(change)
          .where(and(eq(keys.id, id), eq(keys.secretHash, secretHash)))
          .returning({ id: keys.id }),
      ),
    revoke: async (id, at) =>
      changed(
        await db
          .update(keys)
          .set({ revokedAt: at })
          .where(and(eq(keys.id, id), isNull(keys.revokedAt)))
          .returning({ id: keys.id }),
      ),
    replace: async (id, change) =>
      changed(
        await db
          .update(keys)
          .set(change)
          .where(and(eq(keys.id, id), isNull(keys.revokedAt), isNull(keys.replacedBy)))
          .returning({ id: keys.id }),
      ),
    recordUse: (id, at, unusedSince) => update({ id, unusedSince }, { lastUsedAt: at }),
  }
}

export function customersTable(db: Db): Customers {
  const byEmail = lazy(() =>
    db
      .select()
      .from(customers)
      .where(and(eq(customers.merchantId, param('merchantId')), eq(customers.emailKey, param('key'))))
      .prepare(),
  )
  const insert = insertInto(db, customers)
  const insertNew = lazy(() =>
    db
      .insert(customers)
      .values(columnParams(customers))
      .onConflictDoNothing({ target: conflictOn(customers.merchantId, customers.emailKey) })
      .returning({ id: customers.id })
      .prepare(),
  )
  const rowOf = (customer: Customer) => ({ ...customer, emailKey: emailKey(customer.email) })
  const findByEmail = async (merchantId: string, email: string) =>
    first(await byEmail().execute({ merchantId, key: emailKey(email) }))
  const { emailKey: key } = customers
  const { emailKey: _, ...columns } = getTableColumns(customers)
  return {
    find: async id => first(await db.select(columns).from(customers).where(eq(customers.id, id))),
    async list({ merchantId, prefix = '', isBlocked }, limit, turn) {
      const isBack = turn?.direction === 'previous'
      const rows = await db
        .select(columns)
        .from(customers)
        .where(
          and(
            eq(customers.merchantId, merchantId),
            startsWith(sql`${key}`, emailKey(prefix)),
            isBlocked === true ? sql`${customers.blockedAt} IS NOT NULL` : undefined,
            turn ? (isBack ? lt : gt)(key, emailKey(turn.email)) : undefined,
          ),
        )
        .orderBy((isBack ? desc : asc)(key))
        .limit(limit)
      return isBack ? rows.reverse() : rows
    },
    findByEmail,
    insert: customer => insert(rowOf(customer)),
    async ensure(customer) {
      // With several writers, the insertion comes first: a search without a result would conflict with every
      // insertion near that place of the index.
      if (db.dialect.hasManyWriters && (await insertNew().execute(rowOf(customer))).length > 0)
        return customer
      const known = await findByEmail(customer.merchantId, customer.email)
      if (!known) await insert(rowOf(customer))
      return known ?? customer
    },
    async setBlocked(id, blockedAt) {
      await db.update(customers).set({ blockedAt }).where(eq(customers.id, id))
    },
  }
}

export function walletsTable(db: Db): Wallets {
  const ofMerchant = lazy(() =>
    db
      .select()
      .from(wallets)
      .where(eq(wallets.merchantId, param('merchantId')))
      .prepare(),
  )
  return {
    find: async merchantId => first(await ofMerchant().execute({ merchantId })),
    listAll: async () => db.select().from(wallets),
    put: putInto(db, wallets, wallets.merchantId),
  }
}

const isOlder = (after: PageStart | null) =>
  after === null ? undefined : sql`(${auditLog.at}, ${auditLog.id}) < (${after.at}, ${after.id})`

export const auditTable = (db: Db): AuditLog => ({
  insert: insertInto(db, auditLog),
  listOfSubject: async (subject, limit) =>
    db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, subject))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit),
  list: async (merchantId, limit, after = null, by = 'all') =>
    db
      .select()
      .from(auditLog)
      .where(
        and(
          merchantId === null ? isNull(auditLog.merchantId) : eq(auditLog.merchantId, merchantId),
          isOlder(after),
          by === 'others' ? ne(auditLog.actor, 'server') : undefined,
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit),
})
