import type { AuditEntry } from '../domain/audit.ts'
import { formatTimestamp } from '../domain/timestamp.ts'

export const presentAudit = ({
  at,
  actor,
  action,
  subject,
  before,
  after,
  requestId,
  client,
}: AuditEntry) => ({
  at: formatTimestamp(at),
  actor,
  action,
  subject,
  before,
  after,
  requestId,
  client,
})
