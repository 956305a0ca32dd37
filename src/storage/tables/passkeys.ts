import { and, asc, count, eq, inArray, lt, lte, or, sql } from 'drizzle-orm'
import type { PasskeyChallenges, Passkeys } from '../port.ts'
import { passkeyChallenges, passkeys } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { insertInto } from './statements.ts'

export const passkeysTable = (db: Db): Passkeys => ({
  find: async id => first(await db.select().from(passkeys).where(eq(passkeys.id, id))),
  listOfUser: async userId =>
    db
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.createdAt), asc(passkeys.id)),
  insert: insertInto(db, passkeys),
  use: async (id, signCount, at) =>
    changed(
      await db
        .update(passkeys)
        .set({ signCount, lastUsedAt: at })
        .where(
          and(
            eq(passkeys.id, id),
            or(lt(passkeys.signCount, signCount), and(eq(passkeys.signCount, 0), sql`${signCount} = 0`)),
          ),
        )
        .returning({ id: passkeys.id }),
    ),
  async rename(userId, id, name) {
    const own = and(eq(passkeys.userId, userId), eq(passkeys.id, id))
    return (await db.update(passkeys).set({ name }).where(own).returning({ id: passkeys.id })).length > 0
  },
  remove: async (userId, id) =>
    changed(
      await db
        .delete(passkeys)
        .where(and(eq(passkeys.userId, userId), eq(passkeys.id, id)))
        .returning({ id: passkeys.id }),
    ),
  async removeOfUser(userId) {
    await db.delete(passkeys).where(eq(passkeys.userId, userId))
  },
})

export const passkeyChallengesTable = (db: Db): PasskeyChallenges => ({
  async insert(challenge, now, max) {
    await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
    const [row] = await db.select({ number: count() }).from(passkeyChallenges)
    const surplus = (row?.number ?? 0) + 1 - max
    if (surplus > 0) {
      const oldest = await db
        .select({ id: passkeyChallenges.id })
        .from(passkeyChallenges)
        .orderBy(asc(passkeyChallenges.expiresAt), asc(passkeyChallenges.id))
        .limit(surplus)
      const ids = oldest.map(({ id }) => id)
      await db.delete(passkeyChallenges).where(inArray(passkeyChallenges.id, ids))
    }
    await db.insert(passkeyChallenges).values(challenge)
  },
  take: async id => first(await db.delete(passkeyChallenges).where(eq(passkeyChallenges.id, id)).returning()),
})
