import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { serverBody } from '../../../views/dashboard/server.ts'
import type { Refusal } from '../../domain/errors.ts'
import { listOperatorAudit } from '../../operations/audit/read.ts'
import { listMerchants } from '../../operations/merchants/read.ts'
import { createUser, resetUser } from '../../operations/people/create-user.ts'
import { getEmail, searchUsers } from '../../operations/people/read.ts'
import { restoreUser, suspendUser } from '../../operations/people/suspend.ts'
import { personOf, requirePerson, requireProof } from './access.ts'
import { auditRows } from './audit.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'

const PATH = '/dashboard/server'
const PAGE_SIZE = 50
const LOG_SIZE = 20
const Done = Type.Union([Type.Literal('suspended'), Type.Literal('restored')])
const Query = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 254 })),
  start: Type.Optional(Type.String({ pattern: '^[0-9]{1,7}$' })),
  done: Type.Optional(Done),
  lang: Type.Optional(Type.String()),
})
const UserForm = Type.Object({ userId: Type.String({ maxLength: 36 }) })
const InviteForm = Type.Object({
  email: Type.String({ maxLength: 254 }),
  merchantId: Type.String({ maxLength: 36 }),
  role: Type.String({ maxLength: 20 }),
})

interface Shown {
  query?: typeof Query.static
  link?: { email: string; token: string | null }
  refusal?: Refusal | null
  email?: string
}

/** The people of the page, and where the next ones are. */
async function usersOf(
  { context }: DashboardDeps,
  userId: string,
  { q = '', start = '0' }: typeof Query.static,
) {
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
      isYou: user.id === userId,
      hasPassword: user.passwordHash !== null,
      isSuspended: user.suspendedAt !== null,
    })),
  }
}

/** The page, also as the answer to a form. */
function pageOf(deps: DashboardDeps) {
  const { context } = deps
  const linkUrl = (token: string): string => `${context.policy.dashboardUrl}/dashboard/link/${token}`
  return async (request: Request, set: Settable, shown: Shown) => {
    const { query = {}, link, refusal = null, email = '' } = shown
    const { user } = await personOf(context, request)
    const users = await usersOf(deps, user.id, query)
    const shops = await listMerchants(context)
    const log = await auditRows(context, await listOperatorAudit(context, LOG_SIZE))
    if (refusal) set.status = refusal.status
    const isWrong = refusal ? refusedFields(refusal).includes('email') : false
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.server.title,
      body: serverBody(locale, {
        ...users,
        shops,
        log,
        link: link ? { email: link.email, url: link.token === null ? null : linkUrl(link.token) } : null,
        done: query.done ?? null,
        problem: refusal && !isWrong ? problemText(locale, refusal) : null,
        entered: { email, isWrong },
      }),
    }))
  }
}

/** All shops and all people of the server, for operators. */
export const serverPages = (deps: DashboardDeps) => {
  const { context } = deps
  const show = pageOf(deps)
  const reset = async (request: Request, set: Settable, userId: string, secondFactor: boolean) => {
    const { context: own } = await personOf(context, request)
    const email = await getEmail(own, userId)
    let token: string | null = null
    const refusal = await refusalOf(async () => {
      token = (await resetUser(own, email, { secondFactor })).token
    })
    return show(request, set, refusal ? { refusal } : { link: { email, token } })
  }
  const forUser = { ...requireProof(deps, 'operator'), body: UserForm }
  return new Elysia()
    .get(PATH, ({ query, request, set }) => show(request, set, { query }), {
      ...requirePerson(context, 'operator'),
      query: Query,
    })
    .post(
      PATH,
      async ({ body, request, set }) => {
        const { context: own } = await personOf(context, request)
        const { role } = body
        const email = body.email.trim()
        let token: string | null = null
        const refusal = await refusalOf(async () => {
          token = (await createUser(own, { email, merchantId: body.merchantId || null, role })).token
        })
        return show(request, set, refusal ? { refusal, email } : { link: { email, token } })
      },
      { ...requireProof(deps, 'operator'), body: InviteForm },
    )
    .post(`${PATH}/link`, ({ body, request, set }) => reset(request, set, body.userId, false), forUser)
    .post(`${PATH}/reset`, ({ body, request, set }) => reset(request, set, body.userId, true), forUser)
    .post(
      `${PATH}/suspend`,
      async ({ body, redirect, request, set }) => {
        const { context: own } = await personOf(context, request)
        const email = await getEmail(own, body.userId)
        const refusal = await refusalOf(() => suspendUser(own, email))
        return refusal ? show(request, set, { refusal }) : redirect(`${PATH}?done=suspended`, 303)
      },
      forUser,
    )
    .post(
      `${PATH}/restore`,
      async ({ body, redirect, request }) => {
        const { context: own } = await personOf(context, request)
        await restoreUser(own, await getEmail(own, body.userId))
        return redirect(`${PATH}?done=restored`, 303)
      },
      forUser,
    )
}
