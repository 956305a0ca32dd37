import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { chips, field, select } from './parts.ts'

/** The filters of the list, as they were entered. An empty filter matches everything. */
export interface OrderFilters {
  q: string
  status: readonly string[]
  method: string
  asset: string
  from: string
  to: string
  currency: string
  min: string
  max: string
  refunded: string
  payment: string
  customer: string
}

interface Option {
  value: string
  label: string
}

/** An active filter, with the URL of the list without it. */
interface Chip {
  name: keyof OrderFilters
  value: string
  url: string
}

export interface FilterModel {
  filters: OrderFilters
  /** names of the invalid filters */
  wrong: readonly string[]
  chips: readonly Chip[]
  /** links to the orders with each status, and to all orders */
  statuses: readonly {
    status: keyof DashboardLocale['texts']['orders']['statuses'] | null
    url: string
    isCurrent: boolean
  }[]
  /** links that set a filter by what arrived, or remove it if it is set */
  payments: readonly {
    state: keyof DashboardLocale['texts']['orders']['payments']
    url: string
    isCurrent: boolean
  }[]
  methods: readonly Option[]
  assets: readonly Option[]
  currencies: readonly string[]
  /** email address of the customer whose orders are listed; null for all customers */
  customer: string | null
}

const labelOf = (options: readonly Option[], value: string): string =>
  options.find(option => option.value === value)?.label ?? value

/** The value of a filter, in words. */
function valueLabel(
  { texts: { orders } }: DashboardLocale,
  { name, value }: Chip,
  model: FilterModel,
): string {
  const named: Record<string, string> = { ...orders.statuses, ...orders.refunded, ...orders.payments }
  if (name === 'status' || name === 'refunded' || name === 'payment') return named[value] ?? value
  if (name === 'method') return labelOf(model.methods, value)
  if (name === 'customer') return model.customer ?? orders.noEmail
  return name === 'asset' ? labelOf(model.assets, value) : value
}

function appliedFilters(locale: DashboardLocale, model: FilterModel): Html | null {
  const { orders } = locale.texts
  if (model.chips.length === 0) return null
  return html`<ul class="chips" aria-label="${orders.filters}">
${model.chips.map(chip => {
  const filter = `${orders.fields[chip.name]}: ${valueLabel(locale, chip, model)}`
  const label = orders.remove({ filter })
  return html`<li><a href="${chip.url}" aria-label="${label}" dir="auto">${filter} ×</a></li>
`
})}<li><a href="/dashboard/orders">${orders.clear}</a></li>
</ul>`
}

const filterChoice = (
  { texts: { orders } }: DashboardLocale,
  name: 'method' | 'asset' | 'refunded' | 'payment',
  value: string,
  options: readonly Option[],
): Html =>
  select({
    name,
    label: orders.fields[name],
    value,
    options: [['', orders.any], ...options.map(option => [option.value, option.label] as const)],
  })

const date = { type: 'date' }

function inputs(locale: DashboardLocale, { filters, wrong, methods, assets, currencies }: FilterModel): Html {
  const { orders } = locale.texts
  const input = (name: keyof typeof orders.wrong, more: object = {}) =>
    field({
      name,
      label: orders.fields[name],
      value: filters[name],
      problem: wrong.includes(name) ? orders.wrong[name] : undefined,
      ...more,
    })
  const refunded = (['yes', 'no'] as const).map(value => ({ value, label: orders.refunded[value] }))
  const payments = Object.entries(orders.payments).map(([value, label]) => ({ value, label }))
  return html`<fieldset><legend>${orders.fields.status}</legend><div class="row">
${Object.entries(orders.statuses).map(
  ([value, label]) => html`<label class="check"><input type="checkbox" name="status" value="${value}"
${filters.status.includes(value) && html` checked`}>${label}</label>
`,
)}</div></fieldset>
<div class="columns">
${filterChoice(locale, 'method', filters.method, methods)}
${filterChoice(locale, 'asset', filters.asset, assets)}
${filterChoice(locale, 'payment', filters.payment, payments)}
${filterChoice(locale, 'refunded', filters.refunded, refunded)}
${input('from', date)}
${input('to', date)}
${select({
  name: 'currency',
  label: orders.fields.currency,
  value: filters.currency,
  options: [['', orders.any], ...currencies.map(code => [code, code] as const)],
  problem: wrong.includes('currency') ? orders.wrong.currency : undefined,
})}
${input('min', { inputMode: 'decimal' })}
${input('max', { inputMode: 'decimal' })}
</div>`
}

/** The links to each status and to each state of payments. They keep the search and the other filters. */
function statusChips({ texts: { orders } }: DashboardLocale, { statuses, payments }: FilterModel): Html {
  const statusLinks = statuses.map(({ status, url, isCurrent }) => {
    const text = status === null ? orders.every : orders.statuses[status]
    return [url, text, isCurrent] as const
  })
  const paymentLinks = payments.map(
    ({ state, url, isCurrent }) => [url, orders.payments[state], isCurrent] as const,
  )
  return html`${chips(orders.fields.status, statusLinks)}
${chips(orders.fields.payment, paymentLinks)}`
}

/** The search, the filters, and the active filters. Their whole state is in the URL. */
export function filterForm(locale: DashboardLocale, model: FilterModel): Html {
  const { orders } = locale.texts
  const { filters, wrong } = model
  const hidden = model.chips.filter(({ name }) => name !== 'q' && name !== 'customer').length
  return html`<form method="get" action="/dashboard/orders" class="card" role="search">
${filters.customer && html`<input type="hidden" name="customer" value="${filters.customer}">`}
<div class="field"><label for="q">${orders.search}</label>
<p class="hint" id="q-hint">${orders.searchHint}</p>
<input id="q" name="q" type="search" value="${filters.q}" maxlength="200" aria-describedby="q-hint"
accesskey="s" aria-keyshortcuts="/"></div>
<details${wrong.length > 0 && html` open`}><summary>${orders.filters}
${hidden > 0 && html` (${orders.count({ count: hidden })})`}</summary>
${inputs(locale, model)}
</details>
<p><button>${orders.apply}</button></p>
</form>
${statusChips(locale, model)}
${appliedFilters(locale, model)}`
}
