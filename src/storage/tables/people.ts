import { and, asc, desc, eq, isNull, lt, ne, or } from 'drizzle-orm'
import { emailKey } from '../../domain/merchant.ts'
import type { User } from '../../domain/user.ts'
import type { Logins, Memberships, UserLinks, Users } from '../port.ts'
import { logins, memberships, userLinks, users } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, first } from './results.ts'
import { conflictOn, insertInto, lazy, param } from './statements.ts'

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
  async removeUnused(userId) {
    const isTheirs = userId === null ? isNull(userLinks.userId) : eq(userLinks.userId, userId)
    await db.delete(userLinks).where(and(isTheirs, isNull(userLinks.usedAt)))
  },
})
