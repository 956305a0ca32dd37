import { and, eq } from 'drizzle-orm'
import type { Setup } from '../port.ts'
import { setupSkips } from '../schema/index.ts'
import type { Db } from './db.ts'

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
