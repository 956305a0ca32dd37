import { Type } from '@sinclair/typebox'
import { peopleBody } from '../../../views/dashboard/people.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { inviteMember } from '../../operations/people/invite.ts'
import {
  areInvitationsMailed,
  mailInvitation,
  requireInvitation,
  seesInvitations,
} from '../../operations/people/mail-invitation.ts'
import { changeRole, listMembers, removeMember, renewInvitation } from '../../operations/people/members.ts'
import { oneOf, text } from './fields.ts'
import { form, page, type Route } from './kit.ts'
import type { View } from './page.ts'
import { problemText, refusedFields } from './problem.ts'
import type { ShopVisit } from './visit.ts'

const PATH = '/dashboard/people'
const outcomes = ['role', 'removed'] as const

/** The URL of a link for one person; null for a person who needs no link. */
export const linkUrl = ({ policy }: Pick<Context, 'policy'>, token: string | null): string | null =>
  token === null ? null : `${policy.dashboardUrl}/dashboard/link/${token}`

/** A person who was invited. */
interface Invited {
  email: string
  /** token of the link that is shown; null for a person who has a password, or got the link by mail alone */
  token: string | null
  wasReset?: boolean
  /** set if the link was mailed, with the reason if it could not be sent */
  mail?: { fault: string | null }
}

/** Makes the link of an invited person, and mails it or shows it to a person who may see it. */
async function invite(
  visit: ShopVisit,
  email: string,
  make: () => Promise<{ token: string | null; wasReset?: boolean }>,
): Promise<Invited> {
  const { context, merchant } = visit
  const isMailed = areInvitationsMailed(context)
  if (isMailed) await requireInvitation(context, merchant.id, email)
  const { token, wasReset = false } = await make()
  const url = linkUrl(context, token)
  if (!isMailed || url === null) return { email, token, wasReset }
  const mail = { fault: await mailInvitation(context, visit, { email, url }) }
  return { email, token: seesInvitations(context, visit) ? token : null, wasReset, mail }
}

interface PeopleState {
  done?: (typeof outcomes)[number] | undefined
  invited?: Invited
  refusal?: Refusal
  /** email address that was entered to invite a person */
  email?: string
}

async function showPeople(
  visit: ShopVisit,
  { done, invited, refusal, email = '' }: PeopleState,
): Promise<View> {
  const { context, merchant, user } = visit
  const members = await listMembers(context, merchant.id)
  const isWrong = refusal !== undefined && refusedFields(refusal).includes('email')
  return locale => ({
    title: locale.texts.people.title,
    body: peopleBody(locale, {
      members: members.map(member => ({ ...member, isYou: member.userId === user.id })),
      invited: invited
        ? { wasReset: false, mail: null, ...invited, url: linkUrl(context, invited.token) }
        : null,
      isMailed: areInvitationsMailed(context),
      done: done ?? null,
      problem: refusal && !isWrong ? problemText(locale, refusal) : null,
      entered: { email, isWrong },
    }),
  })
}

const refused = (refusal: Refusal, visit: ShopVisit): Promise<View> => showPeople(visit, { refusal })

/** The page of the people of a shop. */
export const peopleRoutes: readonly Route[] = [
  page({
    path: PATH,
    access: 'owner',
    query: { done: Type.Optional(oneOf(outcomes)) },
    show: visit => showPeople(visit, { done: visit.query.done }),
  }),
  form({
    path: PATH,
    proof: 'owner',
    fields: { email: text(254), role: text(20) },
    run(visit) {
      const { context, merchant, body } = visit
      const email = body.email.trim()
      return invite(visit, email, () => inviteMember(context, visit, merchant.id, { ...body, email }))
    },
    done: (invited, visit) => showPeople(visit, { invited }),
    refused: (refusal, visit) => showPeople(visit, { refusal, email: visit.body.email.trim() }),
  }),
  form({
    path: `${PATH}/role`,
    proof: 'owner',
    fields: { userId: text(36), role: text(20) },
    run: ({ context, merchant, body }) => changeRole(context, merchant.id, body.userId, body.role),
    done: `${PATH}?done=role`,
    refused,
  }),
  form({
    path: `${PATH}/remove`,
    proof: 'owner',
    fields: { userId: text(36) },
    run: ({ context, merchant, body }) => removeMember(context, merchant.id, body.userId),
    done: `${PATH}?done=removed`,
    refused,
  }),
  form({
    path: `${PATH}/link`,
    proof: 'owner',
    fields: { userId: text(36) },
    async run(visit) {
      const { context, merchant, body } = visit
      const members = await listMembers(context, merchant.id)
      const email = members.find(({ userId }) => userId === body.userId)?.email ?? ''
      const make = async () => ({ token: await renewInvitation(context, visit, merchant.id, body.userId) })
      return invite(visit, email, make)
    },
    done: (invited, visit) => showPeople(visit, { invited }),
    refused,
  }),
]
