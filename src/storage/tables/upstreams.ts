import { asc, eq } from 'drizzle-orm'
import type { ChosenEndpoints, ChosenRateSources, Outages } from '../port.ts'
import { chosenEndpoints, chosenRateSources, outages } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed } from './results.ts'
import { conflictOn, lazy, putInto } from './statements.ts'

export const chosenEndpointsTable = (db: Db): ChosenEndpoints => ({
  async list() {
    const { chain, position, id } = chosenEndpoints
    return db.select().from(chosenEndpoints).orderBy(asc(chain), asc(position), asc(id))
  },
  async put(endpoint) {
    await db
      .insert(chosenEndpoints)
      .values(endpoint)
      .onConflictDoUpdate({ target: conflictOn(chosenEndpoints.id), set: endpoint })
  },
  async remove(id) {
    const rows = await db
      .delete(chosenEndpoints)
      .where(eq(chosenEndpoints.id, id))
      .returning({ id: chosenEndpoints.id })
    return changed(rows)
  },
})

export const chosenRateSourcesTable = (db: Db): ChosenRateSources => ({
  async list() {
    const { name, createdAt } = chosenRateSources
    const rows = await db.select({ name }).from(chosenRateSources).orderBy(asc(createdAt), asc(name))
    return rows.map(row => row.name)
  },
  async add(name, createdAt) {
    const rows = await db
      .insert(chosenRateSources)
      .values({ name, createdAt })
      .onConflictDoNothing()
      .returning({ name: chosenRateSources.name })
    return changed(rows)
  },
  async remove(name) {
    const rows = await db
      .delete(chosenRateSources)
      .where(eq(chosenRateSources.name, name))
      .returning({ name: chosenRateSources.name })
    return changed(rows)
  },
})

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
