import { type AuditModel, auditBody } from '../../../views/dashboard/audit.ts'
import type { Actor, AuditEntry } from '../../domain/audit.ts'
import { pageAudit, testKeysOf } from '../../operations/audit/read.ts'
import type { Context } from '../../operations/context.ts'
import { emailsOfUsers } from '../../operations/people/emails.ts'
import { optional } from './fields.ts'
import { page, type Route } from './kit.ts'
import { pageLinks, pageStart } from './paging.ts'

const PATH = '/dashboard/audit'
const PAGE_SIZE = 50

type Row = AuditModel['rows'][number]

function actorOf(
  { actor }: AuditEntry,
  emails: ReadonlyMap<string, string>,
  testKeys: ReadonlySet<Actor>,
): Row['actor'] {
  if (actor === 'cli' || actor === 'server') return { kind: actor, name: '' }
  const id = actor.slice(actor.indexOf(':') + 1)
  const kind = testKeys.has(actor) ? 'testKey' : 'key'
  return actor.startsWith('key:') ? { kind, name: id } : { kind: 'user', name: emails.get(id) ?? id }
}

/** The changes of an audit entry. People are shown by their email address. */
function changesOf({ before, after }: AuditEntry, emails: ReadonlyMap<string, string>): Row['changes'] {
  const valueIn = (fields: AuditEntry['before'], field: string): unknown => {
    const value = fields?.[field] ?? null
    return field === PERSON && typeof value === 'string' ? (emails.get(value) ?? value) : value
  }
  return Object.keys({ ...before, ...after }).map(field => ({
    field,
    before: valueIn(before, field),
    after: valueIn(after, field),
  }))
}

const USER = 'user:'
/** the field that has the ID of a user */
const PERSON = 'person'

/** The audit entries as pages show them. People are shown by their email address. */
export async function auditRows(
  context: Pick<Context, 'storage'>,
  entries: AuditEntry[],
  testKeys: ReadonlySet<Actor> = new Set(),
): Promise<Row[]> {
  const names = entries.flatMap(({ actor, subject }) => [actor, subject])
  const people = entries.flatMap(({ before, after }) => [before?.[PERSON], after?.[PERSON]])
  const ids = [
    ...names.flatMap(name => (name.startsWith(USER) ? [name.slice(USER.length)] : [])),
    ...people.filter(id => typeof id === 'string'),
  ]
  const emails = await emailsOfUsers(context, ids)
  return entries.map(entry => ({
    at: entry.at,
    actor: actorOf(entry, emails, testKeys),
    action: entry.action,
    subject: entry.subject.startsWith(USER)
      ? (emails.get(entry.subject.slice(USER.length)) ?? entry.subject)
      : entry.subject,
    changes: changesOf(entry, emails),
    requestId: entry.requestId,
    client: entry.client,
  }))
}

/** The page that lists who changed what. */
export const auditRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { page: optional(), by: optional(10) },
    async show({ context, merchant, query }) {
      const start = pageStart(query.page)
      const by = query.by === 'all' ? 'all' : 'others'
      const { items, next } = await pageAudit(context, merchant.id, { size: PAGE_SIZE, after: start, by })
      const testKeys = await testKeysOf(context, merchant.id)
      const links = pageLinks(PATH, by === 'all' ? { by } : {}, start, next)
      const model = { rows: await auditRows(context, items, testKeys), by, ...links } as const
      return locale => ({ title: locale.texts.audit.title, body: auditBody(locale, model) })
    },
  }),
]
