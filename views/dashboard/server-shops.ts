import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import {
  consequence,
  describedBy,
  field,
  hidden,
  message,
  type Options,
  select,
  staleMessage,
  table,
  time,
  unseen,
} from './parts.ts'
import { type InvitedPerson, invitedCard } from './people.ts'
import { serverHead } from './server-tabs.ts'

const PATH = '/dashboard/server/shops'

/** A notification, in words. */
interface Notice {
  title: string
  text: string
  at: number
}

/** A shop, as operators see it. */
export interface ServerShop {
  id: string
  name: string
  email: string
  status: 'active' | 'suspended'
  createdAt: number
  /** formatted fee, such as "2.5%" */
  fee: string
  tolerance: string
  /** number of orders of the last 30 days that can still be paid */
  open: number
  /** sales of the last 30 days, one amount for each currency */
  sales: readonly string[]
  /** notifications, newest first */
  notices: readonly Notice[]
}

interface ShopsModel {
  shops: readonly ServerShop[]
  total: number
  nextUrl: string | null
}

const badge = ({ texts: { server } }: DashboardLocale, status: ServerShop['status']): Html =>
  html`<span class="badge ${status === 'active' ? 'good' : 'warn'}">${server.shopStatus[status]}</span>`

const salesText = ({ texts: { server } }: DashboardLocale, { sales }: ServerShop): Html =>
  sales.length === 0
    ? html`<span class="soft">${server.noSales}</span>`
    : html`${sales.map(one => html`${one}<br>`)}`

/** A button that opens the shop's own pages. */
const openForm = (locale: DashboardLocale, { id, name }: ServerShop, text: string): Html =>
  html`<form method="post" action="/dashboard/shop">${hidden(locale, { merchantId: id })}
<button class="quiet small">${text}<span class="unseen"> ${name}</span></button></form>`

function shopRow(locale: DashboardLocale, shop: ServerShop): Html {
  const { server } = locale.texts
  const { id, name, email, status, fee, open, notices } = shop
  const [latest] = notices
  return html`<tr><td><a href="${PATH}/${id}" dir="auto">${name}</a><br>
<span class="soft" dir="auto">${email}</span></td>
<td>${badge(locale, status)}</td>
<td>${server.feeOf({ fee })}</td>
<td>${server.openOrders({ count: open })}<br>${salesText(locale, shop)}</td>
<td>${latest ? latest.title : server.noNotice}${
    latest && html`<br><span class="soft">${time(locale, latest.at)}</span>`
  }</td>
<td>${openForm(locale, shop, server.open)}</td></tr>
`
}

/** The list of all shops of the server. */
export function serverShopsBody(locale: DashboardLocale, { shops, total, nextUrl }: ShopsModel): Html {
  const { customers, server } = locale.texts
  const counted = { shown: locale.number(shops.length), total: locale.number(total) }
  const heads = [server.shop, server.state, server.fee, server.lastDays, server.latest, unseen(server.open)]
  return html`${serverHead(locale, 'shops')}
<p><a class="button" href="${PATH}/new">${server.newShop}</a></p>
<section class="card"><h2>${server.shops}</h2>
${
  shops.length === 0
    ? html`<p class="empty">${server.noShops}</p>`
    : html`<p class="soft">${server.count(counted)}</p>
${table(
  null,
  heads,
  shops.map(shop => shopRow(locale, shop)),
)}`
}
${nextUrl && html`<p><a href="${nextUrl}">${customers.next}</a></p>`}</section>`
}

export const newShopFields = ['name', 'email', 'owner', 'feePercent', 'currency'] as const
export type NewShopField = (typeof newShopFields)[number]

interface NewShopModel {
  token: string
  values: Record<NewShopField, string>
  keepsPassword: boolean
  wrong: readonly string[]
  problem: string | null
  currencies: Options
}

/** The page on which operators create a shop. */
export function newShopBody(locale: DashboardLocale, model: NewShopModel): Html {
  const { server, settings } = locale.texts
  const { values, wrong, problem, token, currencies, keepsPassword } = model
  const input = (name: keyof typeof server.newShopForm.labels, more: object = {}) =>
    field({
      name,
      label: server.newShopForm.labels[name],
      hint: server.newShopForm.hints[name],
      value: values[name],
      problem: wrong.includes(name) ? server.newShopForm.wrong[name] : undefined,
      ...more,
    })
  return html`<p><a href="${PATH}">${server.backToShops}</a></p>
<h1>${server.newShop}</h1>
${problem && message('warn', problem)}
<form method="post" action="${PATH}" class="card">${hidden(locale, { token })}
${input('name', { isRequired: true })}
${input('email', { type: 'email', isRequired: true })}
${input('owner', { type: 'email' })}
<p><label class="check"><input type="checkbox" name="keepPassword" value="yes"
${keepsPassword && html` checked`} aria-describedby="keep-hint">
${server.keepPassword}</label></p><p class="hint" id="keep-hint">${server.keepPasswordHint}</p>
${input('feePercent', { inputMode: 'decimal' })}
${select({
  name: 'currency',
  label: settings.labels.currency,
  hint: settings.hints.currency,
  value: values.currency,
  options: [['', settings.noCurrency], ...currencies],
  problem: wrong.includes('currency') ? settings.wrong.currency : undefined,
})}
<button>${server.newShop}</button></form>`
}

export type ShopDone = 'created' | 'saved' | 'suspended' | 'resumed'

interface ShopModel {
  shop: ServerShop
  values: Record<'name' | 'feePercent' | 'tolerance', string>
  version: string
  wrong: readonly string[]
  problem: string | null
  stale: string | null
  done: ShopDone | null
  /** the shop's first owner, if they were just invited */
  invited: InvitedPerson | null
}

function stateCard(locale: DashboardLocale, { id, status, name }: ServerShop): Html {
  const { server } = locale.texts
  if (status === 'suspended')
    return html`<section class="card"><h2>${server.resumeTitle}</h2><p>${server.resumeHint}</p>
<form method="post" action="${PATH}/${id}/resume">${hidden(locale)}
<button>${server.resumeShop}</button></form></section>`
  return html`<section class="card"><h2>${server.suspendTitle}</h2>
${consequence(locale, 'suspendShop')}
<form method="post" action="${PATH}/${id}/suspend" data-ask="${server.suspendShopAsk({ name })}">
${hidden(locale)}
<button class="danger"${describedBy('suspendShop')}>${server.suspendShop}</button></form></section>`
}

function settingsForm(locale: DashboardLocale, model: ShopModel): Html {
  const { frame, server, settings } = locale.texts
  const { shop, values, version, wrong } = model
  const problem = (name: 'name' | 'tolerance') => (wrong.includes(name) ? settings.wrong[name] : undefined)
  const { labels, hints, wrong: wrongTexts } = server.newShopForm
  const decimal = { inputMode: 'decimal' } as const
  return html`<form method="post" action="${PATH}/${shop.id}" class="card">${hidden(locale, { version })}
<h2>${settings.title}</h2>
${field({
  name: 'name',
  label: labels.name,
  value: values.name,
  problem: problem('name'),
  isRequired: true,
})}
${field({
  name: 'feePercent',
  label: labels.feePercent,
  hint: hints.feePercent,
  value: values.feePercent,
  problem: wrong.includes('feePercent') ? wrongTexts.feePercent : undefined,
  ...decimal,
})}
${field({
  name: 'tolerance',
  label: settings.labels.tolerance,
  hint: settings.hints.tolerance,
  value: values.tolerance,
  problem: problem('tolerance'),
  ...decimal,
})}
<button>${frame.save}</button></form>`
}

/** The page on which operators manage a shop. */
export function serverShopBody(locale: DashboardLocale, model: ShopModel): Html {
  const { server } = locale.texts
  const { shop, done, invited, problem, stale } = model
  return html`<p><a href="${PATH}">${server.backToShops}</a></p>
<h1 dir="auto">${shop.name}</h1>
${done && message('good', server.shopDone[done])}
${problem && message('warn', problem)}
${stale !== null && staleMessage(locale, stale, `${PATH}/${shop.id}`)}
${invited && invitedCard(locale, invited)}
<section class="card"><h2>${server.state}</h2>
<p>${badge(locale, shop.status)} <span class="soft" dir="auto">${shop.email}</span></p>
<p>${server.sinceText({ date: locale.date(shop.createdAt) })}
${server.feeOf({ fee: shop.fee })} · ${server.toleranceOf({ tolerance: shop.tolerance })}</p>
<p>${server.lastDays}: ${server.openOrders({ count: shop.open })}<br>${salesText(locale, shop)}</p>
${openForm(locale, shop, server.openPages)}</section>
<section class="card"><h2>${server.latest}</h2>
${
  shop.notices.length === 0
    ? html`<p class="empty">${server.noNotice}</p>`
    : html`<ul class="plain">${shop.notices.map(
        ({ text, at }) => html`<li>${text}<br><span class="soft">${time(locale, at)}</span></li>
`,
      )}</ul>`
}</section>
${settingsForm(locale, model)}
${stateCard(locale, shop)}`
}
