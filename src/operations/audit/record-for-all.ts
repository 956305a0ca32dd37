import type { AuditEntry } from '../../domain/audit.ts'
import type { Tables } from '../context.ts'
import { type AuditContext, recordAudit } from './record.ts'

type Change = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>

/** Records a change of the whole server in the audit log of each merchant: their money depends on it. */
export async function recordForAll(context: AuditContext, tables: Tables, change: Change): Promise<void> {
  for (const { id } of await tables.merchants.list())
    await recordAudit(context, tables, { ...change, merchantId: id })
}
