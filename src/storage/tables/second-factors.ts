import { and, count, eq, gte, isNull, lt } from 'drizzle-orm'
import type { HalfLogins, KnownBrowsers, SecondFactors } from '../port.ts'
import { halfLogins, knownBrowsers, recoveryCodes, secondFactors } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed, conflictOn, first, insertInto } from './statements.ts'

export const secondFactorsTable = (db: Db): SecondFactors => {
  const isOf = (userId: string) => eq(secondFactors.userId, userId)
  return {
    find: async userId => first(await db.select().from(secondFactors).where(isOf(userId))),
    async put(factor) {
      await db
        .insert(secondFactors)
        .values(factor)
        .onConflictDoUpdate({
          target: conflictOn(secondFactors.userId),
          set: { secret: factor.secret, confirmedAt: factor.confirmedAt, lastStep: factor.lastStep },
          setWhere: isNull(secondFactors.confirmedAt),
        })
    },
    useStep: async (userId, step) =>
      changed(
        await db
          .update(secondFactors)
          .set({ lastStep: step })
          .where(and(isOf(userId), lt(secondFactors.lastStep, step)))
          .returning({ id: secondFactors.userId }),
      ),
    async confirm(userId, at) {
      await db.update(secondFactors).set({ confirmedAt: at }).where(isOf(userId))
    },
    async remove(userId) {
      await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
      return changed(
        await db.delete(secondFactors).where(isOf(userId)).returning({ id: secondFactors.userId }),
      )
    },
    async putRecoveryCodes(userId, hashes) {
      await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
      for (const hash of hashes) await db.insert(recoveryCodes).values({ userId, hash })
    },
    useRecoveryCode: async (userId, hash) =>
      changed(
        await db
          .delete(recoveryCodes)
          .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash)))
          .returning({ hash: recoveryCodes.hash }),
      ),
    async countRecoveryCodes(userId) {
      const rows = await db
        .select({ number: count() })
        .from(recoveryCodes)
        .where(eq(recoveryCodes.userId, userId))
      return first(rows)?.number ?? 0
    },
  }
}

export const halfLoginsTable = (db: Db): HalfLogins => ({
  find: async id => first(await db.select().from(halfLogins).where(eq(halfLogins.id, id))),
  insert: insertInto(db, halfLogins),
  remove: async id =>
    changed(await db.delete(halfLogins).where(eq(halfLogins.id, id)).returning({ id: halfLogins.id })),
  async removeOfUser(userId) {
    await db.delete(halfLogins).where(eq(halfLogins.userId, userId))
  },
  async removeOld(expiredBefore) {
    await db.delete(halfLogins).where(lt(halfLogins.expiresAt, expiredBefore))
  },
})

export const knownBrowsersTable = (db: Db): KnownBrowsers => ({
  async see(userId, hash, at, forgottenBefore) {
    const isOfUser = eq(knownBrowsers.userId, userId)
    await db.delete(knownBrowsers).where(and(isOfUser, lt(knownBrowsers.seenAt, forgottenBefore)))
    const isKnown = changed(
      await db
        .update(knownBrowsers)
        .set({ seenAt: at })
        .where(and(isOfUser, eq(knownBrowsers.hash, hash)))
        .returning({ hash: knownBrowsers.hash }),
    )
    if (!isKnown) await db.insert(knownBrowsers).values({ userId, hash, seenAt: at })
    return isKnown
  },
  async has(userId, hash, since) {
    const isOne = and(eq(knownBrowsers.userId, userId), eq(knownBrowsers.hash, hash))
    const rows = await db
      .select({ hash: knownBrowsers.hash })
      .from(knownBrowsers)
      .where(and(isOne, gte(knownBrowsers.seenAt, since)))
    return rows.length > 0
  },
})
