import type { Actor, AuditEntry, AuditedBy } from '../../domain/audit.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { type Page, type PageStart, pageOf } from '../../domain/page.ts'
import type { Context } from '../context.ts'

const LIMIT_MAX = 10_000

/** The audit log of a merchant, newest first. */
export async function listAudit(
  context: Pick<Context, 'storage'>,
  merchantId: string,
  limit: number,
  by: AuditedBy = 'all',
): Promise<AuditEntry[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw invalid('limit', `must be a whole number from 1 to ${LIMIT_MAX}`)
  }
  return context.storage.read(async tables => {
    if (!(await tables.merchants.find(merchantId))) throw new Refusal('not_found', 'No merchant has this ID.')
    return tables.audit.list(merchantId, limit, null, by)
  })
}

/**
 * The actors that are test keys of a merchant. Test keys are kept in more places than live keys, so their
 * changes are marked.
 */
export const testKeysOf = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
): Promise<ReadonlySet<Actor>> =>
  storage.read(async tables => {
    const keys = await tables.keys.listOf(merchantId)
    return new Set(keys.flatMap(({ id, mode }) => (mode === 'test' ? [`key:${id}` as const] : [])))
  })

/** A page of the audit log of a merchant, newest first. */
export const pageAudit = (
  context: Pick<Context, 'storage'>,
  merchantId: string,
  { size, after, by }: { size: number; after: PageStart | null; by: AuditedBy },
): Promise<Page<AuditEntry>> =>
  context.storage.read(async tables =>
    pageOf(await tables.audit.list(merchantId, size + 1, after, by), size, ({ at, id }) => ({ at, id })),
  )

/** The newest changes of operators' logins, which belong to no merchant. */
export const listOperatorAudit = (
  { storage }: Pick<Context, 'storage'>,
  limit: number,
): Promise<AuditEntry[]> => storage.read(tables => tables.audit.list(null, limit))

/** Max audit entries of a merchant that are searched for the last change of a subject. */
const LOOKED_AT = 100

interface LastChange extends Pick<AuditEntry, 'at' | 'actor'> {
  /** the email address of a person; null for any other actor, and for a deleted person */
  email: string | null
}

/** The author and time of the last change of something. */
export const findLastChange = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  subject: string,
): Promise<LastChange | null> =>
  storage.read(async tables => {
    const entries = await tables.audit.list(merchantId, LOOKED_AT, null, 'others')
    const entry = entries.find(one => one.subject === subject)
    if (!entry) return null
    const { at, actor } = entry
    const user = actor.startsWith('user:') ? await tables.users.find(actor.slice('user:'.length)) : null
    return { at, actor, email: user?.email ?? null }
  })
