import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { emailKey } from '../../domain/merchant.ts'
import type { Merchants, Setup } from '../port.ts'
import { merchants, setupSkips } from '../schema/index.ts'
import type { Db } from './db.ts'
import { first } from './results.ts'
import { insertInto, lazy, param } from './statements.ts'

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
  return {
    find: async id => first(await byId().execute({ id })),
    findByEmail: async email => first(await byEmail().execute({ emailKey: emailKey(email) })),
    list: async () => all().execute(),
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
