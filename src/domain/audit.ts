import type { AuditAction } from './audit-action.ts'
import { canonical } from './canonical-json.ts'
import type { Json } from './metadata.ts'

/** Who made a change: an API key, a person of the dashboard, or the operator's command line. */
export type Actor = `key:${string}` | `user:${string}` | 'cli'

/** Where a change came from. */
export interface Origin {
  actor: Actor
  /** the ID of the HTTP request; null for a command */
  requestId: string | null
}

/** What a change replaced, or what it replaced it with. Never contains a secret. */
export type AuditFields = { [name: string]: Json }

/** A change of what money depends on, or of how somebody signs in. It is never changed or deleted. */
export interface AuditEntry extends Origin {
  id: string
  /** null for a change of an operator's login, which belongs to no merchant */
  merchantId: string | null
  at: number
  /** what was done, such as `wallet.changed` */
  action: AuditAction
  /** what it was done to, such as `key:7Hq2mXk9Lp` */
  subject: string
  /** null if there was nothing before */
  before: AuditFields | null
  /** null if there is nothing after */
  after: AuditFields | null
}

type Change = Pick<AuditEntry, 'before' | 'after'>

/** The fields that differ between two states, or null if none does. A missing state is null. */
export function differences(before: AuditFields | null, after: AuditFields | null): Change | null {
  if (before === null || after === null) return before === after ? null : { before, after }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    name => canonical(before[name] ?? null) !== canonical(after[name] ?? null),
  )
  if (names.length === 0) return null
  const pick = (fields: AuditFields) => Object.fromEntries(names.map(name => [name, fields[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
