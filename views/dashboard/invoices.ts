import { type Html, html } from '../html.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { consequence, describedBy, field, hidden, message, pageLinks, select, table } from './parts.ts'

type Texts = DashboardLocale['texts']['invoices']
type Name = keyof Texts['fields']

/** An invoice or credit note in a list. */
export interface InvoiceRow {
  number: string
  kind: keyof Texts['kinds']
  date: string
  buyer: string
  total: Money
  orderId: string
  /** URL of the page that the buyer sees */
  url: string
  xmlUrl: string | null
  pdfUrl: string | null
}

const policies = ['off', 'paid', 'manual'] as const
export const sellerNames = [
  ...(['name', 'street', 'postcode', 'town', 'country', 'vatId', 'taxNumber'] as const),
  ...(['contact', 'phone', 'email'] as const),
] satisfies Name[]
const billingNames = [
  ...(['name', 'street', 'postcode', 'town', 'country', 'vatId', 'reference'] as const),
] satisfies Name[]

/** The invoice settings, as values of their form. */
export interface InvoiceSettingsModel {
  policy: (typeof policies)[number]
  seller: Record<(typeof sellerNames)[number], string>
  wrong: readonly string[]
  hasTax: boolean
}

interface InvoicesModel {
  rows: readonly InvoiceRow[]
  newestUrl: string | null
  olderUrl: string | null
  /** null for people who may not change the settings */
  settings: InvoiceSettingsModel | null
  isSaved: boolean
  problem: string | null
}

/** A field for an address or a number, in the form of the seller or of a buyer. */
function input(
  { texts: { invoices } }: DashboardLocale,
  name: Name,
  { id, value, wrong }: { id: string; value: string; wrong: readonly string[] },
): Html {
  const problem = wrong.includes(name) ? invoices.wrong : undefined
  return field({ name, id: `${id}-${name}`, label: invoices.fields[name], value, problem })
}

function settingsForm(locale: DashboardLocale, model: InvoiceSettingsModel): Html {
  const { invoices, frame } = locale.texts
  const { policy, seller, wrong, hasTax } = model
  return html`<section class="card"><h2>${invoices.settings}</h2>
<form method="post" action="/dashboard/invoices/settings">${hidden(locale)}
${select({
  name: 'invoices',
  label: invoices.policy,
  value: policy,
  options: policies.map(one => [one, invoices.policies[one]] as const),
})}
<h3>${invoices.seller}</h3><p class="hint">${invoices.sellerHint}</p>
${sellerNames.map(name => input(locale, name, { id: 'seller', value: seller[name], wrong }))}
${!hasTax && html`<p class="hint">${invoices.noTax}</p>`}
<button>${frame.save}</button></form></section>`
}

const row = (locale: DashboardLocale, model: InvoiceRow): Html => {
  const { columns, kinds, open } = locale.texts.invoices
  const { number, kind, date, buyer, total, orderId, url } = model
  return html`<tr>
<td><a href="${url}" target="_blank">${kinds[kind]} ${number}</a></td>
<td data-name="${columns.date}">${date}</td>
<td data-name="${columns.buyer}" dir="auto">${buyer}</td>
<td data-name="${columns.total}" class="number">${kind === 'credit_note' && '−'}${locale.money(total)}</td>
<td data-name="${columns.order}"><a href="/dashboard/orders/${orderId}">${open}</a></td>
</tr>
`
}

/** The page of a shop's invoices, with the invoice settings. */
export function invoicesBody(locale: DashboardLocale, model: InvoicesModel): Html {
  const { invoices } = locale.texts
  const { rows, settings, isSaved, problem } = model
  const { number, date, buyer, total, order } = invoices.columns
  return html`<h1>${invoices.title}</h1><p class="hint">${invoices.hint}</p>
${isSaved && message('good', invoices.saved)}
${problem && message('warn', problem)}
<section class="card">${
    rows.length === 0
      ? html`<p>${invoices.empty}</p>`
      : table(
          invoices.list,
          [number, date, buyer, { number: total }, order],
          rows.map(one => row(locale, one)),
        )
  }
${pageLinks(invoices.title, model, invoices)}</section>
${settings && settingsForm(locale, settings)}`
}

/** The invoices on the page of an order. */
export interface OrderInvoicesModel {
  rows: readonly InvoiceRow[]
  /** initial values of the form that sends an invoice; null if none can be sent */
  billing: Record<(typeof billingNames)[number], string> | null
  mayCancel: boolean
}

function sendForm(
  locale: DashboardLocale,
  orderId: string,
  { rows, billing }: OrderInvoicesModel,
  entered: { action: string; values: Record<string, string>; wrong: readonly string[] } | null,
): Html | null {
  const { invoice } = locale.texts.order
  if (billing === null) return null
  const own = entered?.action === 'invoice' ? entered : null
  const isIssued = rows.length > 0
  const { title, hint, submit } = isIssued ? invoice.again : invoice.send
  const fields = isIssued ? [] : billingNames
  return html`<details id="form-invoice"${own && html` open`}><summary>${title}</summary>
<form method="post" action="/dashboard/orders/${orderId}/invoice">
${hidden(locale, isIssued ? { name: billing.name } : {})}
<p class="hint">${hint}</p>
${fields.map(name =>
  input(locale, name, { id: 'invoice', value: own?.values[name] ?? billing[name], wrong: own?.wrong ?? [] }),
)}
<button>${submit}</button></form></details>`
}

function cancelForm(locale: DashboardLocale, orderId: string): Html {
  const { cancel } = locale.texts.order.invoice
  return html`<details id="form-cancel-invoice"><summary>${cancel.title}</summary>
<form method="post" action="/dashboard/orders/${orderId}/cancel-invoice" data-ask="${cancel.ask}">
${hidden(locale)}
${consequence(locale, 'cancelInvoice')}
<button class="danger"${describedBy('cancelInvoice')}>${cancel.submit}</button></form></details>`
}

export function orderInvoices(
  locale: DashboardLocale,
  orderId: string,
  model: OrderInvoicesModel | null,
  entered: Parameters<typeof sendForm>[3],
): Html | null {
  if (model === null || (model.rows.length === 0 && model.billing === null)) return null
  const { order, invoices } = locale.texts
  return html`<section class="card"><h2>${order.invoice.title}</h2>
<ul class="plain">${model.rows.map(
    ({
      number,
      kind,
      url,
      xmlUrl,
      pdfUrl,
      total,
    }) => html`<li>${invoices.kinds[kind]} ${number} · ${locale.money(total)}
<a href="${url}" target="_blank">${order.invoice.open}<span class="unseen">: ${number}</span></a>
${pdfUrl && html`<a href="${pdfUrl}" download>PDF<span class="unseen">: ${number}</span></a>`}
${
  xmlUrl &&
  html`<a href="${xmlUrl}" download>${order.invoice.file}<span class="unseen">: ${number}</span></a>`
}</li>
`,
  )}</ul>
${sendForm(locale, orderId, model, entered)}
${model.mayCancel && cancelForm(locale, orderId)}</section>`
}
