import { Type } from '@sinclair/typebox'
import { serverBody } from '../../../../views/dashboard/server.ts'
import type { Refusal } from '../../../domain/errors.ts'
import { listOperatorAudit } from '../../../operations/audit/read.ts'
import { listMerchants } from '../../../operations/merchants/read.ts'
import { addPerson } from '../../../operations/operator/add-person.ts'
import { resetUser } from '../../../operations/people/create-user.ts'
import { getEmail, searchUsers } from '../../../operations/people/read.ts'
import { restoreUser, suspendUser } from '../../../operations/people/suspend.ts'
import { auditRows } from '../audit.ts'
import { oneOf, optional, text } from '../fields.ts'
import { form, page, type Route } from '../kit.ts'
import type { View } from '../page.ts'
import { linkUrl } from '../people.ts'
import { problemText, refusedFields } from '../problem.ts'
import type { PersonVisit } from '../visit.ts'

const PATH = '/dashboard/server'
const PAGE_SIZE = 50
const LOG_SIZE = 20
const query = Type.Object({
  q: optional(254),
  start: Type.Optional(Type.String({ pattern: '^[0-9]{1,7}$' })),
  done: Type.Optional(oneOf(['suspended', 'restored'])),
})
const userId = text(36)

interface ServerState {
  query?: typeof query.static
  link?: { email: string; token: string | null; wasReset: boolean }
  refusal?: Refusal
  /** email address that was entered to invite a person */
  email?: string
}

/** The people on the page, and the URL of the next ones. */
async function usersOf({ context, user: you }: PersonVisit, { q = '', start = '0' }: typeof query.static) {
  const from = Number(start)
  const { users, total } = await searchUsers(context, { text: q.trim(), start: from, size: PAGE_SIZE })
  const next = from + PAGE_SIZE
  return {
    query: q,
    total,
    nextUrl: next < total ? `${PATH}?${new URLSearchParams({ q, start: String(next) })}` : null,
    users: users.map(({ user, ...rest }) => ({
      ...rest,
      id: user.id,
      email: user.email,
      isOperator: user.isOperator,
      isYou: user.id === you.id,
      hasPassword: user.passwordHash !== null,
      isSuspended: user.suspendedAt !== null,
    })),
  }
}

async function showServer(visit: PersonVisit, state: ServerState): Promise<View> {
  const { context } = visit
  const { query = {}, link, refusal, email = '' } = state
  const users = await usersOf(visit, query)
  const shops = await listMerchants(context)
  const log = await auditRows(context, await listOperatorAudit(context, LOG_SIZE))
  const isWrong = refusal !== undefined && refusedFields(refusal).includes('email')
  return locale => ({
    title: locale.texts.server.title,
    body: serverBody(locale, {
      ...users,
      shops,
      log,
      link: link ? { ...link, mail: null, url: linkUrl(context, link.token) } : null,
      done: query.done ?? null,
      problem: refusal && !isWrong ? problemText(locale, refusal) : null,
      entered: { email, isWrong },
    }),
  })
}

const refused = (refusal: Refusal, visit: PersonVisit): Promise<View> => showServer(visit, { refusal })

/**
 * The form that makes a new link for a person. `secondFactor` also removes their second factor and passkeys.
 */
const linkForm = (path: `${typeof PATH}/${string}`, secondFactor: boolean): Route =>
  form({
    path,
    proof: 'operator',
    fields: { userId },
    async run({ context, body }) {
      const email = await getEmail(context, body.userId)
      return { email, token: (await resetUser(context, email, { secondFactor })).token, wasReset: false }
    },
    done: (link, visit) => showServer(visit, { link }),
    refused,
  })

/** The page of all people of the server, for operators. */
export const serverPeopleRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'operator',
    query: query.properties,
    show: visit => showServer(visit, { query: visit.query }),
  }),
  form({
    path: PATH,
    proof: 'operator',
    fields: { email: text(254), merchantId: text(36), role: text(20), keepPassword: optional(3) },
    async run({ context, body }) {
      const { role, merchantId, email, keepPassword } = { ...body, email: body.email.trim() }
      const wanted = { email, role, merchantId: merchantId || null, keepPassword: keepPassword === 'yes' }
      return { ...(await addPerson(context, wanted)), email }
    },
    done: (link, visit) => showServer(visit, { link }),
    refused: (refusal, visit) => showServer(visit, { refusal, email: visit.body.email.trim() }),
  }),
  linkForm(`${PATH}/link`, false),
  linkForm(`${PATH}/reset`, true),
  form({
    path: `${PATH}/suspend`,
    proof: 'operator',
    fields: { userId },
    run: async ({ context, body }) => suspendUser(context, await getEmail(context, body.userId)),
    done: `${PATH}?done=suspended`,
    refused,
  }),
  form({
    path: `${PATH}/restore`,
    proof: 'operator',
    fields: { userId },
    run: async ({ context, body }) => restoreUser(context, await getEmail(context, body.userId)),
    done: `${PATH}?done=restored`,
  }),
]
