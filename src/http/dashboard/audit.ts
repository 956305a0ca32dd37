import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type AuditModel, auditBody } from '../../../views/dashboard/audit.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { Context } from '../../operations/context.ts'
import { pageAudit } from '../../operations/merchants/read-audit.ts'
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

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value.join(', ')
  return JSON.stringify(value)
}

function changesOf({ before, after }: AuditEntry): Row['changes'] {
  const shownValue = (fields: AuditEntry['before'], name: string) =>
    fields?.[name] === undefined || fields[name] === null ? null : valueText(fields[name])
  const names = Object.keys({ ...before, ...after })
  const changes = names.map(name => ({
    field: name,
    before: shownValue(before, name),
    after: shownValue(after, name),
  }))
  // What is created has fields that nobody filled in.
  return changes.filter(change => change.before !== null || change.after !== null)
}

const USER = 'user:'

/** Entries as the page shows them: people have their email address. */
export async function auditRows(context: Pick<Context, 'storage'>, entries: AuditEntry[]): Promise<Row[]> {
  const names = entries.flatMap(({ actor, subject }) => [actor, subject])
  const ids = names.flatMap(name => (name.startsWith(USER) ? [name.slice(USER.length)] : []))
  const emails = await emailsOfUsers(context, ids)
  return entries.map(entry => ({
    at: entry.at,
    actor: actorOf(entry, emails),
    action: entry.action,
    subject: entry.subject.startsWith(USER)
      ? (emails.get(entry.subject.slice(USER.length)) ?? entry.subject)
      : entry.subject,
    changes: changesOf(entry),
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
