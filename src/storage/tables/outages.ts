import { asc, eq } from 'drizzle-orm'
import type { Outages } from '../port.ts'
import { outages } from '../schema/index.ts'
import type { Db } from './db.ts'
import { excludedColumns } from './statements.ts'

export const outagesTable = (db: Db): Outages => ({
  list: async () => db.select().from(outages).orderBy(asc(outages.id)),
  async put(outage) {
    const set = excludedColumns(outages)
    await db.insert(outages).values(outage).onConflictDoUpdate({ target: outages.id, set })
  },
  async remove(id) {
    await db.delete(outages).where(eq(outages.id, id))
  },
})
