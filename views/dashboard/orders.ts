import { type Html, html } from '../html.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { type FilterModel, filterForm } from './order-filters.ts'
import { field, hidden, live, message, table, time } from './parts.ts'

type OrderState = keyof DashboardLocale['texts']['orders']['statuses']

/** The received amount: money, or coins with their ticker. */
type Received = Money | { amount: string; ticker: string }

const receivedText = ({ money, coins }: DashboardLocale, received: Received): string =>
  'currency' in received ? money(received) : `${coins(received.amount)} ${received.ticker}`

/** A row of the list. */
export interface OrderRow {
  id: string
  createdAt: number
  externalId: string | null
  description: string | null
  customerId: string
  /** null if the checkout did not ask for it */
  email: string | null
  fullName: string
  amount: Money
  status: OrderState
  /** true if a person marked the order as paid */
  isForced: boolean
  /** state of the payments, where the status of the order does not show it */
  payment: {
    state: keyof DashboardLocale['texts']['orders']['payments']
    /** null if the payments have no confirmations */
    confirmations: { count: number; required: number } | null
  } | null
  refund: 'PARTIAL' | 'FULL' | null
  /** the chosen coin or method; null if the buyer has not chosen yet */
  paidWith: string | null
  received: Received | null
}

/** The list of orders, which an update of the page sends alone. */
export interface OrderListModel {
  rows: readonly OrderRow[]
  isFiltered: boolean
  /** true if more orders contain the searched text than a search examines */
  isCut: boolean
  /** true if only a part of the orders was examined */
  isPartial: boolean
  newerUrl: string | null
  olderUrl: string | null
  newestUrl: string | null
  /** source of newer rows; null on pages on which none can appear */
  refreshUrl: string | null
  mayCreate: boolean
}

interface OrdersModel extends OrderListModel {
  filters: FilterModel
  views: SavedViews
  csvUrl: string
}

const tones: Record<OrderState, string> = {
  UNPAID: '',
  PAID: 'good',
  FAILED: 'warn',
  EXPIRED: '',
  CANCELLED: '',
}

/** The state of payments, such as "2 of 12 confirmations" or "Overpaid". */
function paymentBadge(
  { texts: { orders } }: DashboardLocale,
  { state, confirmations }: NonNullable<OrderRow['payment']>,
): Html {
  const text =
    state === 'CONFIRMING' && confirmations
      ? orders.confirming({ ...confirmations, count: Math.min(confirmations.count, confirmations.required) })
      : orders.payments[state]
  return html`<span class="badge ${state === 'CONFIRMING' ? '' : 'warn'}">${text}</span>`
}

/** The status of an order, the state of its payments and of its refunds. */
export const statusBadges = (
  locale: DashboardLocale,
  { status, isForced, payment, refund }: Pick<OrderRow, 'status' | 'isForced' | 'payment' | 'refund'>,
): Html => {
  const { orders } = locale.texts
  const name = isForced ? orders.forced : orders.statuses[status]
  return html`<span class="badge ${tones[status]}">${name}</span>
${payment && paymentBadge(locale, payment)}
${refund && html`<span class="badge">${orders.refunds[refund]}</span>`}`
}

const row = (locale: DashboardLocale, order: OrderRow): Html => {
  const { orders } = locale.texts
  const { id, externalId, description, email, fullName, customerId } = order
  return html`<tr>
<td><a href="/dashboard/orders/${id}">${time(locale, order.createdAt)}</a></td>
<td>${externalId && html`<a class="code clip" href="/dashboard/orders/${id}" dir="ltr">${externalId}</a>`}
${description && html`<span class="clip" dir="auto">${description}</span>`}</td>
<td><a class="clip" href="/dashboard/customers/${customerId}" dir="auto"${email && html` title="${email}"`}>
${email ?? orders.noEmail}</a>
${fullName && html`<span class="soft" dir="auto">${fullName}</span>`}</td>
<td class="number">${locale.money(order.amount)}</td>
<td>${statusBadges(locale, order)}</td>
<td>${order.paidWith && locale.coin(order.paidWith)}
${order.received && html`<br><span class="soft">${receivedText(locale, order.received)}</span>`}</td>
</tr>
`
}

/** A table of orders. */
export function orderTable(locale: DashboardLocale, rows: readonly OrderRow[]): Html {
  const { columns, title } = locale.texts.orders
  const { created, order, customer, amount, status, method } = columns
  return table(
    title,
    [created, order, customer, { number: amount }, status, method],
    rows.map(one => row(locale, one)),
    'stacked',
  )
}

/** The text of an empty list. */
function emptyText(
  locale: DashboardLocale,
  { isFiltered, isPartial, mayCreate }: OrderListModel,
): Html | null {
  const { orders } = locale.texts
  if (isPartial) return null
  if (isFiltered) return html`<p>${orders.nothingFound}</p>`
  return html`<p>${orders.empty}</p>
${mayCreate && html`<p>${orders.emptyCreate} <a href="/dashboard/orders/new">${orders.create}</a></p>`}`
}

function pages(locale: DashboardLocale, model: OrderListModel): Html | null {
  const { orders } = locale.texts
  const { newestUrl, newerUrl, olderUrl, isPartial } = model
  if (!newestUrl && !newerUrl && !olderUrl) return null
  return html`<nav class="row below" aria-label="${orders.pages}">
${newestUrl && html`<a class="button quiet" href="${newestUrl}">${orders.newest}</a>`}
${newerUrl && html`<a class="button quiet" href="${newerUrl}" rel="prev">${orders.newer}</a>`}
${
  olderUrl &&
  html`<a class="button quiet" href="${olderUrl}" rel="next">${isPartial ? orders.further : orders.older}</a>`
}
</nav>`
}

const POLL_SECONDS = 15

/** The list of orders, with notes about orders that it leaves out. */
export function orderList(locale: DashboardLocale, model: OrderListModel): Html {
  const { orders } = locale.texts
  const { rows, refreshUrl, isCut, isPartial } = model
  return html`<div id="orders"${refreshUrl && live(refreshUrl, POLL_SECONDS)}>
${isCut && html`<p>${orders.cut}</p>`}
${isPartial && html`<p>${orders.partial}</p>`}
${rows.length > 0 ? orderTable(locale, rows) : emptyText(locale, model)}
${pages(locale, model)}
</div>`
}

/** The saved views of a person. */
interface SavedViews {
  items: readonly { id: string; name: string; query: string }[]
  /** filters of this page in URL form, to be saved; empty if there are none */
  query: string
  problem: string | null
}

const view = (locale: DashboardLocale, { id, name, query }: SavedViews['items'][number]): Html =>
  html`<li class="row"><a href="/dashboard/orders?${query}" dir="auto">${name}</a>
<form method="post" action="/dashboard/orders/views/${id}/delete">${hidden(locale)}
<button class="quiet small" aria-label="${locale.texts.orders.removeView({ name })}">×</button></form></li>
`

function savedViews(locale: DashboardLocale, { items, query }: SavedViews): Html | null {
  const { orders } = locale.texts
  if (items.length === 0 && query === '') return null
  return html`<section class="card"><h2>${orders.views}</h2>
${items.length > 0 && html`<ul class="plain">${items.map(item => view(locale, item))}</ul>`}
${
  query !== '' &&
  html`<form method="post" action="/dashboard/orders/views">
${hidden(locale, { query })}
${field({ name: 'name', label: orders.viewName, hint: orders.viewHint, isRequired: true })}
<button class="quiet">${orders.saveView}</button></form>`
}
</section>`
}

export function ordersBody(locale: DashboardLocale, model: OrdersModel): Html {
  const { orders } = locale.texts
  return html`<div class="between"><h1>${orders.title}</h1>
${model.mayCreate && html`<a class="button" href="/dashboard/orders/new">${orders.create}</a>`}</div>
${model.views.problem && message('warn', model.views.problem)}
${filterForm(locale, model.filters)}
${orderList(locale, model)}
<p class="below"><a class="button quiet" href="${model.csvUrl}" download>${orders.csv}</a></p>
${savedViews(locale, model.views)}`
}
