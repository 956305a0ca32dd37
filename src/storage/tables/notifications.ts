import { desc, eq } from 'drizzle-orm'
import type { Notifications } from '../port.ts'
import { notifications } from '../schema/index.ts'
import type { Db } from './db.ts'

export const notificationsTable = (db: Db): Notifications => ({
  async insert(notification) {
    await db.insert(notifications).values(notification)
  },
  listOfOrder: async (orderId, limit) =>
    db
      .select()
      .from(notifications)
      .where(eq(notifications.orderId, orderId))
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(limit),
  list: async (merchantId, limit) =>
    db
      .select()
      .from(notifications)
      .where(eq(notifications.merchantId, merchantId))
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(limit),
})
