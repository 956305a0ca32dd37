import type { AuditEntry } from '../../domain/audit.ts'
import type { Context } from '../context.ts'

/** How many changes of a merchant are searched for the last one of a subject. */
const LOOKED_AT = 100

interface LastChange extends Pick<AuditEntry, 'at' | 'actor'> {
  /** of a person; null for anything else, and for a person who no longer exists */
  email: string | null
}

/** Who changed something last, and when. */
export const findLastChange = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  subject: string,
): Promise<LastChange | null> =>
  storage.read(async tables => {
    const entries = await tables.audit.list(merchantId, LOOKED_AT)
    const entry = entries.find(one => one.subject === subject)
    if (!entry) return null
    const { at, actor } = entry
    const user = actor.startsWith('user:') ? await tables.users.find(actor.slice('user:'.length)) : null
    return { at, actor, email: user?.email ?? null }
  })
