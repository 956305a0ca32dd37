import type { AuditFields } from '../../../domain/audit.ts'
import type { AuditAction } from '../../../domain/audit-action.ts'
import type { Tables } from '../../../storage/port.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'

interface ServerChange {
  action: AuditAction
  before: AuditFields | null
  after: AuditFields | null
}

/** Records what an operator did on the server. The row belongs to no merchant: operators see it. */
export const recordServer = (context: AuditContext, tables: Tables, change: ServerChange): Promise<boolean> =>
  recordAudit(context, tables, { merchantId: null, subject: 'server', ...change })
