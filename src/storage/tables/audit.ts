import { desc, eq } from 'drizzle-orm'
import type { AuditLog } from '../port.ts'
import { auditLog } from '../schema/index.ts'
import type { Db } from './db.ts'
import { insertInto } from './statements.ts'

export const auditTable = (db: Db): AuditLog => ({
  insert: insertInto(db, auditLog),
  listOfSubject: async (subject, limit) =>
    db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, subject))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit),
  list: async (merchantId, limit) =>
    db
      .select()
      .from(auditLog)
      .where(eq(auditLog.merchantId, merchantId))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit),
})
