import { customType, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { Actor, AuditFields } from '../../domain/audit.ts'
import type { AuditAction } from '../../domain/audit-action.ts'
import { instant, json, string } from './columns.ts'

/**
 * The stored actor of changes by the server. The constraint of the column is older than such changes and does
 * not allow `server`. No key has this ID, because IDs of keys have ten characters.
 */
const SERVER = 'key:server'

const actor = customType<{ data: Actor; driverData: string }>({
  dataType: () => 'text',
  toDriver: value => (value === 'server' ? SERVER : value),
  fromDriver: value => (value === SERVER ? 'server' : (value as Actor)),
})

export const auditLog = sqliteTable('audit_log', {
  id: string().primaryKey(),
  merchantId: string(),
  at: instant().notNull(),
  actor: actor().notNull(),
  action: string<AuditAction>().notNull(),
  subject: string().notNull(),
  before: json<AuditFields>(),
  after: json<AuditFields>(),
  requestId: string(),
  client: string(),
})
