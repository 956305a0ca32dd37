import { type AuditEntry, differences } from '../../domain/audit.ts'
import type { Context, Tables } from '../context.ts'

export type AuditContext = Pick<Context, 'clock' | 'ids' | 'origin'>

type NewEntry = Pick<AuditEntry, 'merchantId' | 'action' | 'subject' | 'before' | 'after'>

/**
 * Records a change in the audit log, in the write that makes it. `before` and `after` are whole states
 * without secrets; only the fields that differ are stored. Returns false, and records nothing, if none
 * differ.
 */
export async function recordAudit(
  { clock, ids, origin }: AuditContext,
  tables: Tables,
  { merchantId, action, subject, before, after }: NewEntry,
): Promise<boolean> {
  const change = differences(before, after)
  if (!change) return false
  await tables.audit.insert({
    id: ids.uuid(),
    merchantId,
    at: clock(),
    action,
    subject,
    ...change,
    ...origin,
  })
  return true
}

type Change = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>

/**
 * Records a change of the whole server in the audit log of each merchant, because their money depends on it.
 */
export async function recordForAll(context: AuditContext, tables: Tables, change: Change): Promise<void> {
  for (const { id } of await tables.merchants.list())
    await recordAudit(context, tables, { ...change, merchantId: id })
}
