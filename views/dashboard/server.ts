import { type Html, html } from '../html.ts'
import { type AuditRow, auditTable } from './audit.ts'
import type { DashboardLocale } from './locale.ts'
import { consequence, describedBy, field, hidden, message, table, unseen } from './parts.ts'
import { type InvitedPerson, invitedCard, roleOptions } from './people.ts'
import { serverHead } from './server-tabs.ts'

const PATH = '/dashboard/server'

interface ShopRow {
  id: string
  name: string
}

interface UserRow {
  id: string
  email: string
  isOperator: boolean
  isYou: boolean
  hasPassword: boolean
  isSuspended: boolean
  hasSecondFactor: boolean
  passkeys: number
  memberships: readonly { merchantName: string; role: 'viewer' | 'staff' | 'owner' }[]
}

interface ServerModel {
  shops: readonly ShopRow[]
  users: readonly UserRow[]
  /** number of people whose email addresses match the query */
  total: number
  query: string
  nextUrl: string | null
  /** link of a person, which is shown only once; without a URL if the person has a password */
  link: InvitedPerson | null
  done: 'suspended' | 'restored' | null
  problem: string | null
  entered: { email: string; isWrong: boolean }
  log: readonly AuditRow[]
}

const action = (
  locale: DashboardLocale,
  name: string,
  { id }: UserRow,
  label: string,
  ask: string | null,
  danger?: 'resetSignIn' | 'suspendUser',
): Html =>
  html`<form method="post" action="${PATH}/${name}"${ask && html` data-ask="${ask}"`}>
${hidden(locale, { userId: id })}
<button class="${danger ? 'danger' : 'quiet'} small"${danger && describedBy(danger)}>${label}</button></form>`

function actions(locale: DashboardLocale, user: UserRow): Html {
  const { order, server } = locale.texts
  const { email, hasSecondFactor, isSuspended, passkeys } = user
  return html`<details><summary aria-label="${server.actionsFor({ email })}">${order.actions}</summary>
<div class="row">
${action(locale, 'link', user, server.link, server.linkAsk({ email }))}
${
  (hasSecondFactor || passkeys > 0) &&
  action(locale, 'reset', user, server.reset, server.resetAsk({ email }), 'resetSignIn')
}
${
  isSuspended
    ? action(locale, 'restore', user, server.restore, null)
    : action(locale, 'suspend', user, server.suspend, server.suspendAsk({ email }), 'suspendUser')
}</div></details>`
}

function userRow(locale: DashboardLocale, user: UserRow): Html {
  const { frame, people, server } = locale.texts
  const { email, isOperator, isYou, hasPassword, isSuspended, hasSecondFactor, passkeys, memberships } = user
  const roles = memberships.map(({ merchantName, role }) =>
    server.role({ role: frame.roles[role], shop: merchantName }),
  )
  const keys = passkeys > 0 && server.passkeys({ count: passkeys })
  return html`<tr><td><span dir="auto">${email}</span>
${isYou && html`<span class="badge">${people.you}</span>`}
${isSuspended && html`<span class="badge warn">${server.suspended}</span>`}
${!hasPassword && html`<span class="badge warn">${people.invited}</span>`}</td>
<td dir="auto">${[...(isOperator ? [frame.operator] : []), ...roles].map(one => html`${one}<br>`)}</td>
<td>${hasSecondFactor && html`${server.secondFactor}<br>`}${keys}</td>
<td>${!isYou && actions(locale, user)}</td></tr>
`
}

function usersCard(locale: DashboardLocale, { users, total, query, nextUrl }: ServerModel): Html {
  const { customers, people, server } = locale.texts
  return html`<section class="card" id="people"><h2>${server.people}</h2>
<form method="get" action="${PATH}" role="search"><div class="field"><label for="q">${server.search}</label>
<input id="q" name="q" type="search" value="${query}" maxlength="254"></div>
<button class="quiet">${server.searchSubmit}</button></form>
<p class="soft">${server.count({ shown: locale.number(users.length), total: locale.number(total) })}</p>
${
  users.length === 0
    ? html`<p class="empty">${server.none}</p>`
    : table(
        null,
        [people.person, people.role, server.secondFactor, unseen('…')],
        users.map(user => userRow(locale, user)),
      )
}
${nextUrl && html`<p><a href="${nextUrl}">${customers.next}</a></p>`}
<p class="soft">${server.linkHint}</p>
${consequence(locale, 'resetSignIn')}
${consequence(locale, 'suspendUser')}</section>`
}

function inviteCard(locale: DashboardLocale, { shops, entered }: ServerModel): Html {
  const { people, server, signIn } = locale.texts
  return html`<section class="card"><h2>${server.invite}</h2><p>${server.inviteHint}</p>
<form method="post" action="${PATH}">${hidden(locale)}
${field({
  name: 'email',
  label: signIn.email,
  value: entered.email,
  type: 'email',
  problem: entered.isWrong ? signIn.wrongEmail : undefined,
  isRequired: true,
})}
<div class="field"><label for="merchantId">${server.shop}</label><select id="merchantId" name="merchantId">
${shops.map(({ id, name }) => html`<option value="${id}">${name}</option>\n`)}
<option value="">${server.allShops}</option></select></div>
<div class="field"><label for="role">${people.role}</label>
<select id="role" name="role">${roleOptions(locale, 'owner')}</select></div>
<p><label class="check"><input type="checkbox" name="keepPassword" value="yes" aria-describedby="keep-hint">
${server.keepPassword}</label></p><p class="hint" id="keep-hint">${server.keepPasswordHint}</p>
<button>${server.invite}</button></form></section>`
}

/** The list of all people of the server. */
export function serverBody(locale: DashboardLocale, model: ServerModel): Html {
  const { server } = locale.texts
  const { done, link, log, problem } = model
  return html`${serverHead(locale, 'people')}
${done && message('good', server.done[done])}
${problem && message('warn', problem)}
${link && invitedCard(locale, link)}
${usersCard(locale, model)}
${inviteCard(locale, model)}
${
  log.length > 0 &&
  html`<section class="card"><h2>${server.log}</h2><p>${server.logHint}</p>
${auditTable(locale, log)}</section>`
}`
}
