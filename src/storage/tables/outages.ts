import { asc, eq } from 'drizzle-orm'
import type { Outages } from '../port.ts'
import { outages } from '../schema/index.ts'
import type { Db } from './db.ts'
import { lazy, putInto } from './statements.ts'

export function outagesTable(db: Db): Outages {
  const all = lazy(() => db.select().from(outages).orderBy(asc(outages.id)).prepare())
  return {
    list: async () => all().execute(),
    put: putInto(db, outages, outages.id),
    async remove(id) {
      await db.delete(outages).where(eq(outages.id, id))
    },
  }
}
