import { type Html, html } from '../html.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { consequence, describedBy, field, hidden, message, table, time } from './parts.ts'

export interface CustomerModel {
  id: string
  /** null for the customer that stands for all buyers without an email address */
  email: string | null
  /** empty if the checkout did not ask for it */
  name: string
  isBlocked: boolean
  createdAt: number
  orders: number
  /** true if only the newest orders are counted */
  isPartial: boolean
  lastOrderAt: number | null
  /** amounts in each currency */
  sums: readonly { paid: Money; refunded: Money | null }[]
}

interface CustomersModel {
  items: readonly CustomerModel[]
  query: string
  isBlockedOnly: boolean
  nextUrl: string | null
  previousUrl: string | null
}

const counted = ({ number, texts: { customers } }: DashboardLocale, { orders, isPartial }: CustomerModel) =>
  isPartial ? customers.atLeast({ count: number(orders) }) : number(orders)

const sums = ({ money, texts: { customers } }: DashboardLocale, rows: CustomerModel['sums']): Html =>
  html`${rows.map(
    ({ paid, refunded }) =>
      html`${money(paid)}
${refunded && html` <span class="soft">(${customers.refunded({ amount: money(refunded) })})</span>`}<br>`,
  )}`

const row = (locale: DashboardLocale, model: CustomerModel): Html => {
  const { customers, orders } = locale.texts
  const { columns } = customers
  const paid = model.sums.length > 0 && html`<span>${sums(locale, model.sums)}</span>`
  return html`<tr>
<td><a href="/dashboard/customers/${model.id}" dir="auto">${model.email ?? orders.noEmail}</a></td>
<td data-name="${columns.name}" dir="auto">${model.email === null ? '' : model.name}</td>
<td data-name="${columns.orders}" class="number">${counted(locale, model)}</td>
<td data-name="${columns.paid}" class="number">${paid}</td>
<td data-name="${columns.last}">${model.lastOrderAt !== null && time(locale, model.lastOrderAt)}</td>
<td>${model.isBlocked && html`<span class="badge warn">${customers.blocked}</span>`}</td>
</tr>
`
}

function customerTable(locale: DashboardLocale, { items, query, isBlockedOnly }: CustomersModel): Html {
  const { customers } = locale.texts
  const { columns } = customers
  if (items.length === 0) {
    const isFiltered = query !== '' || isBlockedOnly
    return html`<p>${isFiltered ? customers.nothingFound : customers.empty}</p>`
  }
  return table(
    customers.title,
    [
      ...[columns.email, columns.name, { number: columns.orders }, { number: columns.paid }],
      ...[columns.last, columns.state],
    ],
    items.map(item => row(locale, item)),
  )
}

export function customersBody(locale: DashboardLocale, model: CustomersModel): Html {
  const { customers } = locale.texts
  const { query, isBlockedOnly, previousUrl, nextUrl } = model
  return html`<h1>${customers.title}</h1>
<form method="get" action="/dashboard/customers" class="card" role="search">
<div class="field"><label for="q">${customers.search}</label>
<p class="hint" id="q-hint">${customers.searchHint}</p>
<input id="q" name="q" type="search" value="${query}" maxlength="254" aria-describedby="q-hint"></div>
<label class="check"><input type="checkbox" name="blocked" value="yes"${isBlockedOnly && html` checked`}>
${customers.blockedOnly}</label>
<p><button>${customers.apply}</button></p>
</form>
${customerTable(locale, model)}
${
  query !== '' &&
  html`<p><a href="/dashboard/orders?q=${encodeURIComponent(query)}">
${customers.searchOrders({ query })}</a></p>`
}
${
  (previousUrl || nextUrl) &&
  html`<nav class="row" aria-label="${customers.pages}">
${previousUrl && html`<a class="button quiet" href="${previousUrl}" rel="prev">${customers.previous}</a>`}
${nextUrl && html`<a class="button quiet" href="${nextUrl}" rel="next">${customers.next}</a>`}</nav>`
}`
}

interface CustomerPageModel extends CustomerModel {
  /** list of the newest orders */
  list: Html
  mayBlock: boolean
  mayErase: boolean
  done: keyof DashboardLocale['texts']['customers']['done'] | null
  isWrongAddress: boolean
}

function blockForm(locale: DashboardLocale, { id, isBlocked }: CustomerPageModel): Html {
  const { block } = locale.texts.customers
  return html`<section class="card"><h2>${block.title}</h2><p class="hint">${block.hint}</p>
<form method="post" action="/dashboard/customers/${id}/${isBlocked ? 'unblock' : 'block'}">${hidden(locale)}
${
  isBlocked
    ? html`<button class="quiet">${block.unblock}</button>`
    : html`${consequence(locale, 'blockCustomer')}
<button class="danger"${describedBy('blockCustomer')}>${block.block}</button>`
}
</form></section>`
}

function eraseForm(locale: DashboardLocale, { id, isWrongAddress }: CustomerPageModel): Html {
  const { erase } = locale.texts.customers
  return html`<section class="card"><h2>${erase.title}</h2><p class="hint">${erase.hint}</p>
<form method="post" action="/dashboard/customers/${id}/erase">${hidden(locale)}
${field({
  name: 'email',
  label: erase.label,
  problem: isWrongAddress ? erase.wrong : undefined,
  autocomplete: 'off',
  isRequired: true,
})}
${consequence(locale, 'eraseCustomer')}
<button class="danger"${describedBy('eraseCustomer')}>${erase.submit}</button></form></section>`
}

/** The page of one customer. */
export function customerBody(locale: DashboardLocale, model: CustomerPageModel): Html {
  const { customers, orders } = locale.texts
  const { columns } = customers
  const { done, name, email } = model
  return html`<p><a href="/dashboard/customers">${customers.title}</a></p>
<div class="between"><h1 dir="auto">${model.email ?? orders.noEmail}</h1>
${model.isBlocked && html`<p><span class="badge warn">${customers.blocked}</span></p>`}</div>
${done && message('good', customers.done[done])}
<section class="card"><dl class="facts">
${name !== '' && email !== null && html`<dt>${columns.name}</dt><dd dir="auto">${name}</dd>`}
<dt>${customers.since}</dt><dd>${time(locale, model.createdAt)}</dd>
<dt>${columns.orders}</dt><dd>${counted(locale, model)}</dd>
<dt>${columns.paid}</dt><dd>${model.sums.length > 0 ? sums(locale, model.sums) : '–'}</dd>
</dl>
${model.isPartial && html`<p class="hint">${customers.partial}</p>`}
<p><a href="/dashboard/orders?customer=${model.id}">${customers.allOrders}</a></p></section>
${model.list}
${model.mayBlock && blockForm(locale, model)}
${model.mayErase && eraseForm(locale, model)}`
}
