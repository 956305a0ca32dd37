import { eq, lte, sql } from 'drizzle-orm'
import type { Quotas } from '../port.ts'
import { quotas } from '../schema/index.ts'
import type { Db } from './db.ts'
import { conflictOn, first } from './statements.ts'

export const quotasTable = (db: Db): Quotas => ({
  async take(id, { max, lengthMs }, now) {
    const endsAt = now + lengthMs
    // A count that ends later than a new one would was stored while the clock was wrong.
    const isOver = sql`(${quotas.endsAt} <= ${now} OR ${quotas.endsAt} > ${endsAt})`
    const taken = await db
      .insert(quotas)
      .values({ id, used: 1, endsAt })
      .onConflictDoUpdate({
        target: conflictOn(quotas.id),
        set: {
          used: sql`CASE WHEN ${isOver} THEN 1 ELSE ${quotas.used} + 1 END`,
          endsAt: sql`CASE WHEN ${isOver} THEN ${endsAt} ELSE ${quotas.endsAt} END`,
        },
        setWhere: sql`${isOver} OR ${quotas.used} < ${max}`,
      })
      .returning({ id: quotas.id })
    if (taken.length > 0) return null
    return first(await db.select().from(quotas).where(eq(quotas.id, id)))?.endsAt ?? endsAt
  },
  async removeEnded(now) {
    await db.delete(quotas).where(lte(quotas.endsAt, now))
  },
})
