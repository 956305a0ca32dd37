import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { PageStart } from '../../domain/page.ts'
import type { AuditLog } from '../port.ts'
import { auditLog } from '../schema/index.ts'
import type { Db } from './db.ts'
import { insertInto } from './statements.ts'

const isOlder = (after: PageStart | null) =>
  after === null ? undefined : sql`(${auditLog.at}, ${auditLog.id}) < (${after.at}, ${after.id})`

export const auditTable = (db: Db): AuditLog => ({
  insert: insertInto(db, auditLog),
  listOfSubject: async (subject, limit) =>
    db
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, subject))
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit),
  list: async (merchantId, limit, after = null) =>
    db
      .select()
      .from(auditLog)
      .where(
        and(
          merchantId === null ? isNull(auditLog.merchantId) : eq(auditLog.merchantId, merchantId),
          isOlder(after),
        ),
      )
      .orderBy(desc(auditLog.at), desc(auditLog.id))
      .limit(limit),
})
