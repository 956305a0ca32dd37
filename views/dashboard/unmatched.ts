import { relativeTimeFormat } from '../formats.ts'
import { type Html, html } from '../html.ts'
import type { TransactionModel } from '../parts.ts'
import type { DashboardLocale } from './locale.ts'
import { chips, hidden, message, pageLinks, time } from './parts.ts'

type Texts = DashboardLocale['texts']
export type UnmatchedStatus = keyof Texts['order']['accept']['statuses']

/** A payment that did not complete its order. Amounts include their currency or coin. */
interface UnmatchedRow {
  id: string
  orderId: string
  /** the shop's name of the order */
  orderName: string
  at: number
  /** time since the payment, in milliseconds */
  age: number
  amount: string
  /** null if the value is unknown */
  value: string | null
  shortfall: string | null
  reason: keyof Texts['timeline']['reasons']
  status: UnmatchedStatus
  transaction: TransactionModel | null
  refundAddress: string | null
  evidence: string
  /** the person's decision */
  decision: { by: string | null; at: number; note: string | null } | null
  mayAccept: boolean
  mayResolve: boolean
  /** true if a provider took the payment, so that it cannot be sent back to an address */
  isCard: boolean
  /** how much of the payment its provider or its chain has taken back; null if nothing */
  takenBack: keyof Texts['unmatched']['takenBack'] | null
  /** the amount that Florin can refund through the provider of the payment; null if it cannot */
  sendBack: string | null
}

/** Money at an address that a restore skipped. Its order is lost. */
interface SkippedRow {
  id: string
  at: number
  amount: string
  address: string
  status: 'open' | 'resolved'
  decision: UnmatchedRow['decision']
  mayResolve: boolean
}

export interface UnmatchedModel {
  /** what the person may do: accept payments, resolve them, or only read */
  role: keyof DashboardLocale['texts']['unmatched']['todo']
  /** payments at skipped addresses, which are shown first */
  skipped: readonly SkippedRow[]
  rows: readonly UnmatchedRow[]
  status: UnmatchedStatus | 'all'
  urlOf(status: UnmatchedStatus | 'all'): string
  /** position of this page in the list, which the forms send back */
  page: string
  newestUrl: string | null
  olderUrl: string | null
  done: keyof Texts['unmatched']['done'] | null
  problem: string | null
  /** value of the form that was refused */
  entered: { id: string; action: 'accept' | 'resolve'; text: string } | null
}

export const unmatchedStatuses = ['open', 'accepted', 'resolved', 'all'] as const

const HOUR_MS = 3600_000

/** The age of a payment, such as "3 days ago". */
function ageText({ formats }: DashboardLocale, age: number): string {
  const words = relativeTimeFormat(formats, { numeric: 'auto' })
  const hours = Math.floor(age / HOUR_MS)
  if (hours < 1) return words.format(-Math.floor(age / 60_000), 'minute')
  return hours < 48 ? words.format(-hours, 'hour') : words.format(-Math.floor(hours / 24), 'day')
}

function form(
  locale: DashboardLocale,
  { page, status, entered }: UnmatchedModel,
  id: string,
  action: 'accept' | 'resolve',
): Html {
  const { order, unmatched } = locale.texts
  const own = entered?.id === id && entered.action === action ? entered : null
  const field = `${action}-${id}`
  const isAccept = action === 'accept'
  const texts = isAccept
    ? { ...unmatched.accept, ask: order.accept.ask }
    : { ...unmatched.resolve, ask: null }
  return html`<details${own && html` open`}><summary>${texts.title}</summary>
<form method="post" action="/dashboard/unmatched/${id}/${action}"
${texts.ask && html` data-ask="${texts.ask}"`}>
${hidden(locale, { status, page })}
<div class="field"><label for="${field}">${texts.label}</label>
<p class="hint" id="${field}-hint">${texts.hint}</p>
<input id="${field}" name="text" value="${own?.text ?? ''}" maxlength="${isAccept ? 500 : 1000}"
aria-describedby="${field}-hint"></div>
<button${!isAccept && html` class="quiet"`}>${texts.submit}</button></form></details>
`
}

const sendBackForm = (
  locale: DashboardLocale,
  { page, status }: UnmatchedModel,
  id: string,
  amount: string,
): Html => {
  const { sendBack } = locale.texts.unmatched
  return html`<form method="post" action="/dashboard/unmatched/${id}/refund"
data-ask="${sendBack.ask({ amount })}">
${hidden(locale, { status, page })}<p class="hint">${sendBack.hint}</p>
<button>${sendBack.submit({ amount })}</button></form>
`
}

const code = (text: string): Html => html`<span class="code" dir="ltr">${text}</span>`

const transaction = ({ id, url }: TransactionModel): Html =>
  url
    ? html`<a class="code" dir="ltr" href="${url}" rel="noreferrer noopener" target="_blank">${id}</a>`
    : code(id)

function decisionText(
  locale: DashboardLocale,
  { by, at, note }: NonNullable<UnmatchedRow['decision']>,
): Html {
  const { unmatched } = locale.texts
  return html`<dt>${unmatched.decided}</dt>
<dd>${time(locale, at)}${by ? html` · <bdi>${by}</bdi>` : html` · ${unmatched.byItself}`}
${note && html`<p class="written" dir="auto">${note}</p>`}</dd>`
}

function item(locale: DashboardLocale, model: UnmatchedModel, row: UnmatchedRow): Html {
  const { order, timeline, unmatched } = locale.texts
  const { id, orderId, amount, value, shortfall, reason, status, refundAddress, decision } = row
  return html`<li class="card">
<div class="between"><h2>${amount}</h2>
<span class="badge ${status === 'open' ? 'warn' : 'good'}">${order.accept.statuses[status]}</span></div>
<p>${timeline.reasons[reason]}</p>
<dl class="facts">
<dt>${unmatched.value}</dt><dd>${value ?? unmatched.unknown}
${shortfall && html` · ${order.accept.shortfall({ amount: shortfall })}`}</dd>
<dt>${unmatched.arrived}</dt><dd>${time(locale, row.at)} · ${ageText(locale, row.age)}</dd>
<dt>${unmatched.order}</dt><dd><a href="/dashboard/orders/${orderId}" dir="auto">${row.orderName}</a></dd>
${row.transaction && html`<dt>${unmatched.transaction}</dt><dd>${transaction(row.transaction)}</dd>`}
${
  !row.isCard &&
  html`<dt>${unmatched.refundTo}</dt>
<dd>${refundAddress ? code(refundAddress) : unmatched.noRefundAddress}</dd>`
}
${decision && decisionText(locale, decision)}
</dl>
<details><summary>${unmatched.evidence}</summary><pre dir="ltr">${row.evidence}</pre></details>
${row.takenBack && html`<p>${unmatched.takenBack[row.takenBack]}</p>`}
${row.sendBack && sendBackForm(locale, model, id, row.sendBack)}
${row.mayAccept && form(locale, model, id, 'accept')}
${row.mayResolve && form(locale, model, id, 'resolve')}
</li>
`
}

function skippedItem(locale: DashboardLocale, model: UnmatchedModel, row: SkippedRow): Html {
  const { order, unmatched } = locale.texts
  return html`<li class="card">
<div class="between"><h2>${row.amount}</h2>
<span class="badge ${row.status === 'open' ? 'warn' : 'good'}">
${order.accept.statuses[row.status]}</span></div>
<p>${unmatched.skipped}</p>
<dl class="facts">
<dt>${unmatched.seen}</dt><dd>${time(locale, row.at)}</dd>
<dt>${unmatched.address}</dt><dd>${code(row.address)}</dd>
${row.decision && decisionText(locale, row.decision)}
</dl>
${row.mayResolve && form(locale, model, row.id, 'resolve')}
</li>
`
}

/** The payments that completed no order, for people to decide about. */
export function unmatchedBody(locale: DashboardLocale, model: UnmatchedModel): Html {
  const { frame, order, unmatched } = locale.texts
  const { rows, skipped, status: chosen, urlOf, done, problem } = model
  return html`<h1>${frame.nav.unmatched}</h1>
<p>${unmatched.intro} ${unmatched.todo[model.role]}</p>
${done && message('good', unmatched.done[done])}
${problem && message('warn', problem)}
${chips(
  unmatched.show,
  unmatchedStatuses.map(one => {
    const text = one === 'all' ? unmatched.all : order.accept.statuses[one]
    return [urlOf(one), text, one === chosen]
  }),
)}
${
  rows.length + skipped.length === 0
    ? html`<p class="empty">${chosen === 'open' ? unmatched.noneOpen : unmatched.none}</p>`
    : html`<ul class="plain">${skipped.map(row => skippedItem(locale, model, row))}
${rows.map(row => item(locale, model, row))}</ul>`
}
${pageLinks(frame.nav.unmatched, model, unmatched)}`
}
