import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, copyable, describedBy, field, hidden, message, table, unseen } from './parts.ts'

type RoleName = 'viewer' | 'staff' | 'owner'

const roleNames: readonly RoleName[] = ['viewer', 'staff', 'owner']

interface MemberRow {
  userId: string
  email: string
  role: RoleName
  hasPassword: boolean
  isYou: boolean
}

/** A person who was just invited. */
export interface InvitedPerson {
  email: string
  /** link to choose a password; null for a person who has one, or who gets the link only by mail */
  url: string | null
  /** true if the person's password was removed */
  wasReset: boolean
  /** result of the mail with the link; `fault` is null if it was sent. Null without a mail. */
  mail: { fault: string | null } | null
}

interface PeopleModel {
  members: readonly MemberRow[]
  /** link of a person who was just invited; it is shown only once */
  invited: InvitedPerson | null
  /** true if invitations are sent by mail */
  isMailed: boolean
  done: 'role' | 'removed' | null
  problem: string | null
  /** value of the form that invites a person */
  entered: { email: string; isWrong: boolean }
}

export const roleOptions = ({ texts: { frame } }: DashboardLocale, chosen: RoleName): Html[] =>
  roleNames.map(
    role => html`<option value="${role}"${role === chosen && html` selected`}>${frame.roles[role]}</option>
`,
  )

function memberRow(
  locale: DashboardLocale,
  { userId, email, role, hasPassword, isYou }: MemberRow,
  isMailed: boolean,
): Html {
  const { people, frame } = locale.texts
  const renew = html`<form method="post" action="/dashboard/people/link">
${hidden(locale, { userId })}
<button class="quiet small">${isMailed ? people.renewByMail : people.renew}</button></form>`
  return html`<tr>
<td><span dir="auto">${email}</span> ${isYou && html`<span class="badge">${people.you}</span>`}
${!hasPassword && html`<br><span class="badge warn">${people.invited}</span>`}</td>
<td><form method="post" action="/dashboard/people/role" class="row">
${hidden(locale, { userId })}
<label class="unseen" for="role-${userId}">${people.roleOf({ email })}</label>
<select id="role-${userId}" name="role" class="short">${roleOptions(locale, role)}</select>
<button class="quiet small">${frame.save}</button></form></td>
<td><div class="row">${!hasPassword && renew}
<form method="post" action="/dashboard/people/remove" data-ask="${people.removeAsk({ email })}">
${hidden(locale, { userId })}
<button class="danger small"${describedBy('removePerson')}>${people.remove}</button>
</form></div></td></tr>
`
}

function inviteForm(locale: DashboardLocale, { entered: { email, isWrong }, isMailed }: PeopleModel): Html {
  const { people, signIn } = locale.texts
  return html`<section class="card"><h2>${people.invite}</h2>
<form method="post" action="/dashboard/people">${hidden(locale)}
${field({
  name: 'email',
  label: signIn.email,
  value: email,
  type: 'email',
  problem: isWrong ? signIn.wrongEmail : undefined,
  isRequired: true,
})}
<div class="field"><label for="role">${people.role}</label>
<p class="hint" id="role-hint">${people.roleHint}</p>
<select id="role" name="role" aria-describedby="role-hint">${roleOptions(locale, 'staff')}</select></div>
<button>${isMailed ? people.inviteByMail : people.inviteSubmit}</button>
</form></section>`
}

export function invitedCard(locale: DashboardLocale, { email, url, wasReset, mail }: InvitedPerson): Html {
  const { people } = locale.texts
  if (!mail && url === null) return message('good', people.added({ email }))
  const card =
    url !== null &&
    html`<section class="card"><h2>${people.linkFor({ email })}</h2>
${wasReset && html`<p>${people.wasReset({ email })}</p>`}
<p>${people.linkNote}</p>
${copyable(locale, url)}</section>`
  if (!mail) return html`${card}`
  const sent =
    mail.fault === null
      ? message('good', people.mailed({ email }))
      : message('warn', people.mailFault({ email, reason: mail.fault }))
  return html`${sent}${card}`
}

/** The people of a shop, with their roles. */
export function peopleBody(locale: DashboardLocale, model: PeopleModel): Html {
  const { people } = locale.texts
  return html`<h1>${people.title}</h1>
${model.done && message('good', people.done[model.done])}
${model.problem && message('warn', model.problem)}
${model.invited && invitedCard(locale, model.invited)}
<section class="card">${consequence(locale, 'removePerson')}
${table(
  null,
  [people.person, people.role, unseen(people.remove)],
  model.members.map(member => memberRow(locale, member, model.isMailed)),
)}
${model.members.length === 0 && html`<p class="empty">${people.empty}</p>`}</section>
${inviteForm(locale, model)}`
}
