import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { peopleBody } from '../../../views/dashboard/people.ts'
import type { Refusal } from '../../domain/errors.ts'
import { inviteMember } from '../../operations/people/invite.ts'
import { changeRole, listMembers, removeMember, renewInvitation } from '../../operations/people/members.ts'
import { requirePerson, requireProof, shopOf } from './access.ts'
import type { DashboardDeps } from './deps.ts'
import { renderPage, type Settable } from './page.ts'
import { problemText, refusalOf, refusedFields } from './problem.ts'

const Id = Type.String({ maxLength: 36 })
const Done = Type.Union([Type.Literal('role'), Type.Literal('removed')])
const Query = Type.Object({ done: Type.Optional(Done), lang: Type.Optional(Type.String()) })
const InviteForm = Type.Object({
  email: Type.String({ maxLength: 254 }),
  role: Type.String({ maxLength: 20 }),
})
const RoleForm = Type.Object({ userId: Id, role: Type.String({ maxLength: 20 }) })
const MemberForm = Type.Object({ userId: Id })

interface Shown {
  invited?: { email: string; token: string | null }
  done?: typeof Done.static | undefined
  refusal?: Refusal | null
  email?: string
}

export const peoplePages = (deps: DashboardDeps) => {
  const { context } = deps
  const linkUrl = (token: string): string => `${context.policy.dashboardUrl}/dashboard/link/${token}`
  async function show(request: Request, set: Settable, { invited, done, refusal, email = '' }: Shown) {
    const { merchant, user } = await shopOf(context, request)
    const members = await listMembers(context, merchant.id)
    if (refusal) set.status = refusal.status
    const isWrong = refusal ? refusedFields(refusal).includes('email') : false
    return renderPage(deps, request, set, locale => ({
      title: locale.texts.people.title,
      body: peopleBody(locale, {
        members: members.map(member => ({ ...member, isYou: member.userId === user.id })),
        invited: invited
          ? { email: invited.email, url: invited.token === null ? null : linkUrl(invited.token) }
          : null,
        done: done ?? null,
        problem: refusal && !isWrong ? problemText(locale, refusal) : null,
        entered: { email, isWrong },
      }),
    }))
  }
  return new Elysia()
    .get('/dashboard/people', ({ query, request, set }) => show(request, set, { done: query.done }), {
      ...requirePerson(context, 'owner'),
      query: Query,
    })
    .post(
      '/dashboard/people',
      async ({ body, request, set }) => {
        const shop = await shopOf(context, request)
        const email = body.email.trim()
        let token: string | null = null
        const refusal = await refusalOf(async () => {
          const invited = await inviteMember(shop.context, shop, shop.merchant.id, { ...body, email })
          token = invited.token
        })
        return show(request, set, refusal ? { refusal, email } : { invited: { email, token } })
      },
      { ...requireProof(deps, 'owner'), body: InviteForm },
    )
    .post(
      '/dashboard/people/role',
      async ({ body, redirect, request, set }) => {
        const { context: own, merchant } = await shopOf(context, request)
        const refusal = await refusalOf(() => changeRole(own, merchant.id, body.userId, body.role))
        return refusal ? show(request, set, { refusal }) : redirect('/dashboard/people?done=role', 303)
      },
      { ...requireProof(deps, 'owner'), body: RoleForm },
    )
    .post(
      '/dashboard/people/remove',
      async ({ body, redirect, request, set }) => {
        const { context: own, merchant } = await shopOf(context, request)
        const refusal = await refusalOf(() => removeMember(own, merchant.id, body.userId))
        return refusal ? show(request, set, { refusal }) : redirect('/dashboard/people?done=removed', 303)
      },
      { ...requireProof(deps, 'owner'), body: MemberForm },
    )
    .post(
      '/dashboard/people/link',
      async ({ body, request, set }) => {
        const shop = await shopOf(context, request)
        const { context: own, merchant } = shop
        const members = await listMembers(context, merchant.id)
        const email = members.find(({ userId }) => userId === body.userId)?.email ?? ''
        let token: string | null = null
        const refusal = await refusalOf(async () => {
          token = await renewInvitation(own, shop, merchant.id, body.userId)
        })
        return show(request, set, refusal ? { refusal } : { invited: { email, token } })
      },
      { ...requireProof(deps, 'owner'), body: MemberForm },
    )
}
