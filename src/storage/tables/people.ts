import { and, asc, count, desc, eq, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { emailKey } from '../../domain/merchant.ts'
import type { User } from '../../domain/user.ts'
import type { Logins, Memberships, PasskeyChallenges, Passkeys, UserLinks, Users } from '../port.ts'
import { logins, memberships, passkeyChallenges, passkeys, userLinks, users } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, conflictOn, first, insertInto, lazy, param } from './statements.ts'

const userOf = ({ emailKey: _key, ...user }: typeof users.$inferSelect): User => user

export const usersTable = (db: Db): Users => {
  const insert = insertInto(db, users)
  const one = (rows: (typeof users.$inferSelect)[]) => {
    const row = first(rows)
    return row && userOf(row)
  }
  const byId = lazy(() =>
    db
      .select()
      .from(users)
      .where(eq(users.id, param('id')))
      .prepare(),
  )
  const byEmail = lazy(() =>
    db
      .select()
      .from(users)
      .where(eq(users.emailKey, param('key')))
      .prepare(),
  )
  return {
    find: async id => one(await byId().execute({ id })),
    findByEmail: async email => one(await byEmail().execute({ key: emailKey(email) })),
    list: async () =>
      (await db.select().from(users).orderBy(asc(users.createdAt), asc(users.id))).map(userOf),
    insert: user => insert({ ...user, emailKey: emailKey(user.email) }),
    async update(id, change) {
      const key = change.email === undefined ? {} : { emailKey: emailKey(change.email) }
      await db
        .update(users)
        .set({ ...change, ...key })
        .where(eq(users.id, id))
    },
  }
}

export const membershipsTable = (db: Db): Memberships => {
  const isOf = (userId: string, merchantId: string) =>
    and(eq(memberships.userId, userId), eq(memberships.merchantId, merchantId))
  const isOfUser = eq(memberships.userId, param('userId'))
  const one = lazy(() =>
    db
      .select()
      .from(memberships)
      .where(and(isOfUser, eq(memberships.merchantId, param('merchantId'))))
      .prepare(),
  )
  const ofUser = lazy(() =>
    db
      .select()
      .from(memberships)
      .where(isOfUser)
      .orderBy(asc(memberships.createdAt), asc(memberships.merchantId))
      .prepare(),
  )
  return {
    find: async (userId, merchantId) => first(await one().execute({ userId, merchantId })),
    listOfUser: async userId => ofUser().execute({ userId }),
    async listOfMerchant(merchantId) {
      const rows = await db
        .select({ membership: memberships, email: users.email, passwordHash: users.passwordHash })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(eq(memberships.merchantId, merchantId))
        .orderBy(asc(memberships.createdAt), asc(memberships.userId))
      return rows.map(({ membership, email, passwordHash }) => ({
        ...membership,
        email,
        hasPassword: passwordHash !== null,
      }))
    },
    async put(membership) {
      await db
        .insert(memberships)
        .values(membership)
        .onConflictDoUpdate({
          target: conflictOn(memberships.userId, memberships.merchantId),
          set: { role: membership.role },
        })
    },
    remove: async (userId, merchantId) =>
      changed(
        await db.delete(memberships).where(isOf(userId, merchantId)).returning({ id: memberships.userId }),
      ),
  }
}

export function loginsTable(db: Db): Logins {
  const byId = lazy(() =>
    db
      .select()
      .from(logins)
      .where(eq(logins.id, param('id')))
      .prepare(),
  )
  return {
    find: async id => first(await byId().execute({ id })),
    listOfUser: async userId =>
      db
        .select()
        .from(logins)
        .where(eq(logins.userId, userId))
        .orderBy(desc(logins.lastSeenAt), desc(logins.id)),
    insert: insertInto(db, logins),
    async update(id, change) {
      await db.update(logins).set(change).where(eq(logins.id, id))
    },
    remove: async (userId, id) =>
      changed(
        await db
          .delete(logins)
          .where(and(eq(logins.userId, userId), eq(logins.id, id)))
          .returning({ id: logins.id }),
      ),
    async removeOthers(userId, keptId) {
      await db
        .delete(logins)
        .where(and(eq(logins.userId, userId), keptId === null ? undefined : ne(logins.id, keptId)))
    },
    async removeOld(createdBefore, seenBefore) {
      await db
        .delete(logins)
        .where(or(lt(logins.createdAt, createdBefore), lt(logins.lastSeenAt, seenBefore)))
    },
  }
}

export const userLinksTable = (db: Db): UserLinks => ({
  find: async id => first(await db.select().from(userLinks).where(eq(userLinks.id, id))),
  insert: insertInto(db, userLinks),
  use: async (id, at) =>
    changed(
      await db
        .update(userLinks)
        .set({ usedAt: at })
        .where(and(eq(userLinks.id, id), isNull(userLinks.usedAt)))
        .returning({ id: userLinks.id }),
    ),
  async removeUnused(userId, expiredAt) {
    const isTheirs = userId === null ? isNull(userLinks.userId) : eq(userLinks.userId, userId)
    const isOver = expiredAt === undefined ? undefined : lte(userLinks.expiresAt, expiredAt)
    await db.delete(userLinks).where(and(isTheirs, isNull(userLinks.usedAt), isOver))
  },
})

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
