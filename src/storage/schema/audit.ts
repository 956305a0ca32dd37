import { sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Actor, AuditFields } from '../../domain/audit.ts'
import type { AuditAction } from '../../domain/audit-action.ts'
import { instant, json, string } from './columns.ts'

export const auditLog = sqliteTable('audit_log', {
  id: string().primaryKey(),
  merchantId: string(),
  at: instant().notNull(),
  actor: string<Actor>().notNull(),
  action: string<AuditAction>().notNull(),
  subject: string().notNull(),
  before: json<AuditFields>(),
  after: json<AuditFields>(),
  requestId: string(),
  client: string(),
})
