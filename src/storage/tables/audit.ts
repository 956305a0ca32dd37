import { desc, eq } from 'drizzle-orm'
import type { AuditLog } from '../port.ts'
import { auditLog } from '../schema/index.ts'
import type { Db } from './db.ts'
import { insertInto } from './statements.ts'

export const auditTable = (db: Db): AuditLog => ({
  insert: insertInto(db, auditLog),
  list: async (merchantId, limit) =>
    db
      .select()
      .from(auditLog)
      .where(eq(auditLog.merchantId, merchantId))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit),
})
