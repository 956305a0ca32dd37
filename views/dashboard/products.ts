import { type Html, html } from '../html.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { chips, consequence, describedBy, hidden, message, pageLinks, table } from './parts.ts'

type Texts = DashboardLocale['texts']['products']
type State = keyof Texts['states']

interface ProductRow {
  id: string
  name: string
  imageUrl: string | null
  /** price with its currency */
  price: Money
  isActive: boolean
  orders: number
  /** true if there are more orders than `orders`, because the count is limited */
  isPartial: boolean
}

interface ProductsModel {
  rows: readonly ProductRow[]
  query: string
  state: State
  states: readonly State[]
  urlOf(state: State): string
  /** beginning of each product's link */
  checkoutUrl: string
  newestUrl: string | null
  olderUrl: string | null
  mayChange: boolean
  done: keyof Texts['done'] | null
  problem: string | null
}

const picture = (url: string | null): Html | null =>
  url === null
    ? null
    : html`<img class="thumb" src="${url}" alt="" width="48" height="48" loading="lazy"
referrerpolicy="no-referrer">`

function row(locale: DashboardLocale, { mayChange, checkoutUrl }: ProductsModel, product: ProductRow): Html {
  const { products } = locale.texts
  const { columns } = products
  const { id, name, imageUrl, price, isActive, orders, isPartial } = product
  const shown = isActive && html`<a href="${checkoutUrl}/checkout/${id}">${products.open}</a>`
  const count = locale.number(orders)
  return html`<tr>
${
  mayChange &&
  html`<td><input type="checkbox" name="product.${id}" value="yes"
aria-label="${products.choose({ name })}"></td>`
}
<td class="image">${picture(imageUrl)}</td>
<td class="name"><a href="/dashboard/products/${id}" dir="auto">${name}</a>
${!isActive && html` <span class="badge">${products.archived}</span>`}</td>
<td data-name="${columns.price}" class="number">${locale.money(price)}</td>
<td data-name="${columns.orders}" class="number">${isPartial ? products.atLeast({ count }) : count}</td>
<td data-name="${columns.link}" class="one-line">${shown}</td>
</tr>
`
}

function emptyText(products: Texts, { query, state, mayChange }: ProductsModel): string {
  if (query !== '') return products.none
  if (state === 'archived') return products.noneArchived
  return mayChange ? `${products.empty} ${products.emptyCreate}` : products.empty
}

function productTable(locale: DashboardLocale, model: ProductsModel): Html {
  const { products } = locale.texts
  const { columns } = products
  const { rows, mayChange, state } = model
  if (rows.length === 0) return html`<p class="empty">${emptyText(products, model)}</p>`
  const { choose, image, name, price, orders, link } = columns
  const content = table(
    products.title,
    [...(mayChange ? [choose] : []), image, name, { number: price }, { number: orders }, link],
    rows.map(one => row(locale, model, one)),
    'blocks products',
  )
  if (!mayChange) return content
  return html`<form method="post" action="/dashboard/products/archive">${hidden(locale)}
${content}
${state !== 'archived' && consequence(locale, 'archiveProduct')}
<p class="row">
${
  state !== 'archived' &&
  html`<button class="quiet" name="do" value="archive"
${describedBy('archiveProduct')}>${products.archive}</button>`
}
${state !== 'active' && html`<button class="quiet" name="do" value="restore">${products.restore}</button>`}
</p></form>`
}

/** The list of a shop's products. */
export function productsBody(locale: DashboardLocale, model: ProductsModel): Html {
  const { products } = locale.texts
  const { query, state, states, urlOf, mayChange, done, problem } = model
  return html`<div class="between"><h1>${products.title}</h1>
${mayChange && html`<p><a class="button" href="/dashboard/products/new">${products.create}</a></p>`}</div>
${done && message('good', products.done[done])}
${problem && message('warn', problem)}
<form method="get" action="/dashboard/products" class="row" role="search">
<input type="hidden" name="state" value="${state}">
<div class="field"><label for="q">${products.search}</label>
<input id="q" name="q" type="search" value="${query}" maxlength="120"></div>
<div class="field"><button class="quiet">${products.find}</button></div>
</form>
${chips(
  products.show,
  states.map(one => [urlOf(one), products.states[one], one === state]),
)}
${productTable(locale, model)}
${pageLinks(products.title, model, products)}`
}
