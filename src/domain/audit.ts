import type { AuditAction } from './audit-action.ts'
import { canonical } from './canonical-json.ts'
import type { Json } from './metadata.ts'

/** The author of a change: an API key, a user of the dashboard, a command of the operator, or the server. */
export type Actor = `key:${string}` | `user:${string}` | 'cli' | 'server'

export interface Origin {
  actor: Actor
  /** ID of the HTTP request; null for a command */
  requestId: string | null
  /**
   * IP address of the client that sent the request, or login name of the person who ran the command; null if
   * unknown
   */
  client: string | null
}

/**
 * The authors whose changes are listed: all authors, or all except the server, which makes a change for each
 * paid order.
 */
export type AuditedBy = 'all' | 'others'

export const cliOrigin: Origin = { actor: 'cli', requestId: null, client: null }
/**
 * The origin of changes that the server makes on its own, such as the invoice of an order that was just paid.
 */
export const serverOrigin: Origin = { actor: 'server', requestId: null, client: null }

/** Values before or after a change. Never contains a secret. */
export type AuditFields = { [name: string]: Json }

/** An audit log row. It is never changed or deleted. */
export interface AuditEntry extends Origin {
  id: string
  /** null for an operator's login, which belongs to no merchant */
  merchantId: string | null
  at: number
  /** such as `wallet.changed` */
  action: AuditAction
  /** the changed object, such as `key:7Hq2mXk9Lp` */
  subject: string
  before: AuditFields | null
  after: AuditFields | null
}

type Change = Pick<AuditEntry, 'before' | 'after'>

/** The fields that differ between two states; null if none do. A missing state is null. */
export function differences(before: AuditFields | null, after: AuditFields | null): Change | null {
  if (before === null || after === null) return before === after ? null : { before, after }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    name => canonical(before[name] ?? null) !== canonical(after[name] ?? null),
  )
  if (names.length === 0) return null
  const pick = (fields: AuditFields) => Object.fromEntries(names.map(name => [name, fields[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
