import { and, asc, desc, eq } from 'drizzle-orm'
import type { OrderNotes, SavedViews } from '../port.ts'
import { orderNotes, savedViews } from '../schema/index.ts'
import type { Db } from './db.ts'
import { changed } from './results.ts'
import { conflictOn, insertInto } from './statements.ts'

export const orderNotesTable = (db: Db): OrderNotes => ({
  insert: insertInto(db, orderNotes),
  listOf: async (orderId, limit) =>
    db
      .select()
      .from(orderNotes)
      .where(eq(orderNotes.orderId, orderId))
      .orderBy(desc(orderNotes.createdAt), desc(orderNotes.id))
      .limit(limit),
})

export const savedViewsTable = (db: Db): SavedViews => {
  const ofPerson = (userId: string, merchantId: string) =>
    and(eq(savedViews.userId, userId), eq(savedViews.merchantId, merchantId))
  return {
    list: async (userId, merchantId, page) =>
      db
        .select()
        .from(savedViews)
        .where(and(ofPerson(userId, merchantId), eq(savedViews.page, page)))
        .orderBy(asc(savedViews.name)),
    async put(view) {
      const { userId, merchantId, page, name } = savedViews
      await db
        .insert(savedViews)
        .values(view)
        .onConflictDoUpdate({
          target: conflictOn(userId, merchantId, page, name),
          set: { query: view.query },
        })
    },
    remove: async (userId, merchantId, id) =>
      changed(
        await db
          .delete(savedViews)
          .where(and(ofPerson(userId, merchantId), eq(savedViews.id, id)))
          .returning({ id: savedViews.id }),
      ),
    async removeAll(userId, merchantId) {
      await db.delete(savedViews).where(ofPerson(userId, merchantId))
    },
  }
}
