import { asc, count, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { SignInFailures } from '../port.ts'
import { signInFailures } from '../schema/index.ts'
import type { Db } from './db.ts'
import { conflictOn, first } from './statements.ts'

/** Removes expired counts, and those that expire first if there are more than `max`. */
async function forget(db: Db, now: number, max: number): Promise<void> {
  await db.delete(signInFailures).where(lte(signInFailures.expiresAt, now))
  const [row] = await db.select({ number: count() }).from(signInFailures)
  const surplus = (row?.number ?? 0) - max
  if (surplus <= 0) return
  const oldest = await db
    .select({ id: signInFailures.id })
    .from(signInFailures)
    .orderBy(asc(signInFailures.expiresAt), asc(signInFailures.id))
    .limit(surplus)
  const ids = oldest.map(({ id }) => id)
  await db.delete(signInFailures).where(inArray(signInFailures.id, ids))
}

export const signInFailuresTable = (db: Db): SignInFailures => ({
  find: async id => first(await db.select().from(signInFailures).where(eq(signInFailures.id, id))),
  async add(id, now, expiresAt, max) {
    await forget(db, now, max)
    const [row] = await db
      .insert(signInFailures)
      .values({ id, count: 1, lastAt: now, expiresAt })
      .onConflictDoUpdate({
        target: conflictOn(signInFailures.id),
        set: { count: sql`${signInFailures.count} + 1`, lastAt: now },
      })
      .returning({ count: signInFailures.count })
    return row?.count ?? 1
  },
  async takeBack(id) {
    await db
      .update(signInFailures)
      .set({ count: sql`${signInFailures.count} - 1` })
      .where(sql`${eq(signInFailures.id, id)} AND ${gt(signInFailures.count, 0)}`)
  },
})
