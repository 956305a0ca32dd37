import { type Html, html } from '../html.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { hidden, table, time } from './parts.ts'

type Texts = DashboardLocale['texts']['order']

/** A payment that the buyer opened. Amounts include their coin. */
export interface AttemptModel {
  method: string
  state: keyof Texts['attempts']['states']
  /** null until the provider's page is opened */
  due: string | null
  received: string | null
  /** credited part of the asked amount, in the order's currency; null if nothing is credited */
  credited: { amount: Money; of: Money } | null
  address: string | null
  payoutAddress: string | null
  rate: string | null
  rateAt: number | null
  rateSources: readonly string[]
  confirmations: number | null
  required: number | null
  lockedUntil: number
  checkedAt: number | null
  transactions: readonly { id: string; url: string | null }[]
}

export interface EventModel {
  id: string
  type: string
  status: keyof Texts['events']['statuses']
  tries: number
  /** answer of the shop's server; null before the first one */
  answer: string | null
  nextAt: number | null
}

const code = (text: string): Html => html`<span class="code" dir="ltr">${text}</span>`

const fact = (label: string, value: Html | string | null | false): Html | null =>
  value ? html`<dt>${label}</dt><dd>${value}</dd>` : null

function attempt(locale: DashboardLocale, model: AttemptModel): Html {
  const { attempts: texts } = locale.texts.order
  const { credited, address, payoutAddress, rate, rateAt, rateSources, confirmations, required } = model
  const counted =
    confirmations !== null &&
    required !== null &&
    texts.confirmed({ count: Math.min(confirmations, required), required })
  const counts =
    credited && texts.creditedOf({ amount: locale.money(credited.amount), due: locale.money(credited.of) })
  const rateTime =
    rateAt === null ? '' : texts.rateAt({ time: locale.dateTime(rateAt), sources: rateSources.join(', ') })
  return html`<h3 dir="auto">${locale.coin(model.method)}</h3>
<dl class="facts">
${fact(texts.state, texts.states[model.state])}
${fact(texts.due, model.due)}
${fact(texts.received, model.received)}
${fact(texts.credited, counts)}
${fact(texts.address, address !== null && code(address))}
${payoutAddress !== address && fact(texts.payout, payoutAddress !== null && code(payoutAddress))}
${fact(texts.rate, rate !== null && html`${rate} <span class="soft">${rateTime}</span>`)}
${fact(texts.confirmations, counted)}
${fact(
  texts.transactions,
  model.transactions.length > 0 &&
    html`${model.transactions.map(({ id, url }) =>
      url ? html`<a href="${url}" rel="noopener noreferrer">${code(id)}</a><br>` : html`${code(id)}<br>`,
    )}`,
)}
${fact(texts.locked, time(locale, model.lockedUntil))}
${fact(texts.checked, model.checkedAt === null ? texts.never : time(locale, model.checkedAt))}
</dl>
`
}

export function attempts(locale: DashboardLocale, models: readonly AttemptModel[]): Html {
  const { attempts: texts } = locale.texts.order
  return html`<section class="card"><h2>${texts.title}</h2>
${models.length > 0 ? models.map(model => attempt(locale, model)) : html`<p>${texts.empty}</p>`}</section>`
}

const eventRow = (locale: DashboardLocale, orderId: string, model: EventModel, mayResend: boolean): Html => {
  const { events: texts } = locale.texts.order
  return html`<tr>
<td>${code(model.type)}</td><td data-name="${texts.status}">${texts.statuses[model.status]}</td>
<td data-name="${texts.tries}" class="number">${model.tries}</td>
<td data-name="${texts.answer}">${model.answer}</td>
<td data-name="${texts.next}">${model.nextAt !== null && time(locale, model.nextAt)}</td>
${
  mayResend &&
  html`<td><form method="post" action="/dashboard/orders/${orderId}/resend">
${hidden(locale, { event: model.id })}
<button class="quiet small" aria-label="${texts.resendNamed({ type: model.type })}">${texts.resend}</button>
</form></td>`
}
</tr>
`
}

/** The events that were sent to the shop's website. */
interface EventsModel {
  id: string
  events: readonly EventModel[]
  unsentTo: 'none' | 'further' | null
  mayConnect: boolean
}

export function events(
  locale: DashboardLocale,
  { id: orderId, events: models, unsentTo, mayConnect }: EventsModel,
  mayResend: boolean,
): Html {
  const { events: texts } = locale.texts.order
  if (unsentTo !== null && models.every(({ status }) => status === 'unsent')) {
    const url = unsentTo === 'none' ? '/dashboard/webhook' : '/dashboard/webhooks'
    const link = unsentTo === 'none' ? texts.connect : texts.title
    return html`<section class="card"><h2>${texts.title}</h2>
<p>${texts[unsentTo]}${mayConnect && html` <a href="${url}">${link}</a>`}</p></section>`
  }
  if (models.length === 0)
    return html`<section class="card"><h2>${texts.title}</h2><p>${texts.empty}</p></section>`
  const { title, event, status, tries, answer, next, action } = texts
  const columns = [event, status, { number: tries }, answer, next, ...(mayResend ? [action] : [])]
  const rows = models.map(model => eventRow(locale, orderId, model, mayResend))
  return html`<section class="card"><h2>${title}</h2>
${table(title, columns, rows)}</section>`
}
