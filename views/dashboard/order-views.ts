import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden } from './parts.ts'

/** The filters that a person saved. */
export interface ViewModel {
  items: readonly { id: string; name: string; query: string }[]
  /** the filters of this page, which can be saved; empty if there are none */
  query: string
  problem: string | null
}

const view = (locale: DashboardLocale, { id, name, query }: ViewModel['items'][number]): Html =>
  html`<li class="row"><a href="/dashboard/orders?${query}" dir="auto">${name}</a>
<form method="post" action="/dashboard/orders/views/${id}/delete">${hidden(locale)}
<button class="quiet small" aria-label="${locale.texts.orders.removeView({ name })}">×</button></form></li>
`

export function savedViews(locale: DashboardLocale, { items, query }: ViewModel): Html | null {
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
