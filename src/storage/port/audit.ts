import type { AuditEntry } from '../../domain/audit.ts'
import type { PageStart } from '../../domain/page.ts'

/** The audit log. The database refuses to change or delete its rows. */
export interface AuditLog {
  insert(entry: AuditEntry): Promise<void>
  /** The entries about one subject, newest first. */
  listOfSubject(subject: string, limit: number): Promise<AuditEntry[]>
  /** The entries of a merchant, or of no merchant, newest first. */
  list(merchantId: string | null, limit: number, after?: PageStart | null): Promise<AuditEntry[]>
}
