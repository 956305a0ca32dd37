import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type AuditModel, auditBody } from '../../../views/dashboard/audit.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import { pageAudit } from '../../operations/audit/read.ts'
import type { Context } from '../../operations/context.ts'
import { emailsOfUsers } from '../../operations/people/emails.ts'
import { requirePerson, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage } from './page.ts'
import { pageLinks, pageStart } from './paging.ts'

const PATH = '/dashboard/audit'
const PAGE_SIZE = 50
const text = Type.Optional(Type.String({ maxLength: 200 }))
const Query = Type.Object({ page: text, lang: text })

type Row = AuditModel['rows'][number]

function actorOf({ actor }: AuditEntry, emails: ReadonlyMap<string, string>): Row['actor'] {
  if (actor === 'cli') return { kind: 'cli', name: '' }
  const id = actor.slice(actor.indexOf(':') + 1)
  return actor.startsWith('key:') ? { kind: 'key', name: id } : { kind: 'user', name: emails.get(id) ?? id }
}

/** People are known by their address. */
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
/** a field that has the ID of a user */
const PERSON = 'person'

/** Entries as the page shows them: people have their email address. */
export async function auditRows(context: Pick<Context, 'storage'>, entries: AuditEntry[]): Promise<Row[]> {
  const names = entries.flatMap(({ actor, subject }) => [actor, subject])
  const people = entries.flatMap(({ before, after }) => [before?.[PERSON], after?.[PERSON]])
  const ids = [
    ...names.flatMap(name => (name.startsWith(USER) ? [name.slice(USER.length)] : [])),
    ...people.filter(id => typeof id === 'string'),
  ]
  const emails = await emailsOfUsers(context, ids)
  return entries.map(entry => ({
    at: entry.at,
    actor: actorOf(entry, emails),
    action: entry.action,
    subject: entry.subject.startsWith(USER)
      ? (emails.get(entry.subject.slice(USER.length)) ?? entry.subject)
      : entry.subject,
    changes: changesOf(entry, emails),
    requestId: entry.requestId,
  }))
}

/** Who changed what. */
export const auditPage = (deps: DashboardDeps) => {
  const { context } = deps
  return new Elysia().get(
    PATH,
    async ({ query, request, set }) => {
      const { merchant } = await shopOf(context, request)
      const start = pageStart(query.page)
      const { items, next } = await pageAudit(context, merchant.id, PAGE_SIZE, start)
      const rows = await auditRows(context, items)
      return renderPage(deps, request, set, locale => ({
        title: locale.texts.audit.title,
        body: auditBody(locale, {
          rows,
          ...pageLinks(PATH, {}, start, next),
        }),
      }))
    },
    { ...requirePerson(context, 'owner'), query: Query },
  )
}
