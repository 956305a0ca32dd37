import { type Html, html } from '../html.ts'
import { developerTabs } from './developer-tabs.ts'
import type { DashboardLocale } from './locale.ts'
import { chips, field, hidden, message, pageLinks, select, table, time } from './parts.ts'
import { type AnswerModel, answerBlock, type EventName, type Outcome, outcomeText } from './webhook.ts'

type DeliveryStatus = keyof DashboardLocale['texts']['deliveries']['statuses']

interface TryModel {
  at: number
  outcome: Outcome
  httpStatus: number | null
  durationMs: number
  answer: AnswerModel | null
}

export interface DeliveryRow {
  eventId: string
  orderId: string
  orderNumber: string | null
  type: string
  createdAt: number
  status: DeliveryStatus
  /** true if people must send the event themselves: no webhook is set, or none was when the event happened */
  isUnsent: boolean
  tries: readonly TryModel[]
  nextAttemptAt: number | null
}

export interface DeliveriesModel {
  isOwner: boolean
  hasWebhook: boolean
  rows: readonly DeliveryRow[]
  /** filters as in the URL; a filter that is not set is empty */
  filter: { status: string; type: string; since: string; until: string }
  wrongDates: readonly string[]
  allTypes: readonly EventName[]
  /** returns the URL of this list with another status */
  urlOf(status: DeliveryStatus | ''): string
  /** null on the first page */
  newestUrl: string | null
  /** null on the last page */
  olderUrl: string | null
  /** number of events that were just sent again */
  redelivered: number | null
  problem: string | null
}

const statuses = ['pending', 'failed', 'delivered'] as const

const nextText = (
  locale: DashboardLocale,
  { status, isUnsent, nextAttemptAt }: DeliveryRow,
): Html | string => {
  const { deliveries } = locale.texts
  if (nextAttemptAt !== null) return time(locale, nextAttemptAt)
  return status === 'delivered' || isUnsent ? deliveries.nextNone : deliveries.nextParked
}

const badge = (
  { texts: { deliveries } }: DashboardLocale,
  { status, isUnsent }: Pick<DeliveryRow, 'status' | 'isUnsent'>,
): Html =>
  html`<span class="badge ${status === 'delivered' ? 'good' : status === 'failed' ? 'warn' : ''}">
${isUnsent ? deliveries.unsent : deliveries.statuses[status]}</span>`

const orderLink = ({ orderId, orderNumber }: DeliveryRow): Html =>
  html`<a class="code" dir="ltr" href="/dashboard/orders/${orderId}">${orderNumber ?? orderId}</a>`

function row(locale: DashboardLocale, delivery: DeliveryRow): Html {
  const { deliveries } = locale.texts
  const { columns } = deliveries
  const { eventId, type, createdAt, tries } = delivery
  const last = tries.at(-1)
  return html`<tr>
<td><a href="/dashboard/deliveries/${eventId}">${time(locale, createdAt)}</a></td>
<td><span class="code whole" dir="ltr">${type}</span></td>
<td data-name="${columns.order}">
${orderLink(delivery)}</td>
<td data-name="${columns.status}"><span>${badge(locale, delivery)}</span></td>
<td data-name="${columns.answer}">
<span>${last ? outcomeText(locale, last.outcome, last.httpStatus) : deliveries.noTry}</span></td>
<td data-name="${columns.tries}" class="number">${locale.number(tries.length)}</td>
<td data-name="${columns.next}"><span>${nextText(locale, delivery)}</span></td>
</tr>`
}

function filterForm(locale: DashboardLocale, model: DeliveriesModel): Html {
  const { deliveries } = locale.texts
  const { filter, allTypes, wrongDates, urlOf } = model
  const date = (name: 'since' | 'until') =>
    field({
      name,
      label: deliveries[name],
      type: 'date',
      value: filter[name],
      problem: wrongDates.includes(name) ? deliveries.wrongDate : undefined,
    })
  const links = (['', ...statuses] as const).map(status => {
    const text = status === '' ? deliveries.all : deliveries.statuses[status]
    return [urlOf(status), text, status === filter.status] as const
  })
  return html`${chips(deliveries.status, links)}
<form method="get" action="/dashboard/deliveries" class="row">
<input type="hidden" name="status" value="${filter.status}">
${select({
  name: 'type',
  label: deliveries.type,
  value: filter.type,
  options: [['', deliveries.anyType], ...allTypes.map(type => [type, type] as const)],
})}
${date('since')}
${date('until')}
<div class="field"><button class="quiet">${deliveries.filter}</button></div>
</form>`
}

function eventTable(locale: DashboardLocale, { rows, filter }: DeliveriesModel): Html {
  const { deliveries } = locale.texts
  const isFiltered = Object.values(filter).some(value => value !== '')
  if (rows.length === 0) return html`<p class="empty">${isFiltered ? deliveries.none : deliveries.empty}</p>`
  const { columns } = deliveries
  const { time, event, order, status, answer, tries, next } = columns
  return table(
    deliveries.title,
    [time, event, order, status, answer, tries, next],
    rows.map(one => row(locale, one)),
  )
}

/** Deliveries to an additional webhook, which have no page of their own. */
export function deliveryRows(locale: DashboardLocale, title: string, rows: readonly DeliveryRow[]): Html {
  const { deliveries } = locale.texts
  const { columns } = deliveries
  const heads = [columns.time, columns.event, columns.order, columns.status, columns.answer, columns.tries]
  return table(
    title,
    heads,
    rows.map(one => {
      const last = one.tries.at(-1)
      return html`<tr>
<td>${time(locale, one.createdAt)}</td>
<td><span class="code whole" dir="ltr">${one.type}</span></td>
<td data-name="${columns.order}">${orderLink(one)}</td>
<td data-name="${columns.status}"><span>${badge(locale, one)}</span></td>
<td data-name="${columns.answer}">
<span>${last ? outcomeText(locale, last.outcome, last.httpStatus) : deliveries.noTry}</span></td>
<td data-name="${columns.tries}" class="number">${locale.number(one.tries.length)}</td>
</tr>`
    }),
  )
}

/** The events that were sent to the webhook or wait to be sent. */
export function deliveriesBody(locale: DashboardLocale, model: DeliveriesModel): Html {
  const { deliveries } = locale.texts
  const { isOwner, redelivered, problem } = model
  return html`<div class="between"><h1>${deliveries.title}</h1>
${
  model.hasWebhook &&
  html`<form method="post" action="/dashboard/deliveries/failed">${hidden(locale)}
<button class="quiet">${deliveries.redeliverAll}</button></form>`
}</div>
${developerTabs(locale, 'deliveries', isOwner)}
${!model.hasWebhook && html`<p class="message">${deliveries.unsentHint}</p>`}
${redelivered !== null && message('good', deliveries.redeliveredAll({ count: redelivered }))}
${problem && message('warn', problem)}
${filterForm(locale, model)}
${eventTable(locale, model)}
${pageLinks(deliveries.title, model, { newest: deliveries.newer, older: deliveries.older })}`
}

interface DeliveryModel {
  isOwner: boolean
  delivery: DeliveryRow
  headers: readonly (readonly [name: string, value: string])[]
  body: string
  isRedelivered: boolean
  problem: string | null
}

function tryItem(locale: DashboardLocale, one: TryModel): Html {
  const { deliveries } = locale.texts
  return html`<li class="${one.outcome === 'delivered' ? 'good' : 'warn'}">
<p>${time(locale, one.at)} – ${outcomeText(locale, one.outcome, one.httpStatus)},
${deliveries.duration({ ms: one.durationMs })}</p>
<details><summary>${deliveries.answer}<span class="unseen"> ${locale.dateTime(one.at)}</span></summary>
${answerBlock(locale, one.answer)}
</details>
</li>`
}

/** One event: its content, the answers to its tries, and the next try. */
export function deliveryBody(locale: DashboardLocale, model: DeliveryModel): Html {
  const { deliveries } = locale.texts
  const { isOwner, delivery, headers, body, isRedelivered, problem } = model
  const { eventId, type, createdAt, tries } = delivery
  return html`<div class="between"><h1>${deliveries.one} <span class="code" dir="ltr">${type}</span></h1>
<form method="post" action="/dashboard/deliveries/${eventId}/redeliver">${hidden(locale)}
<button>${deliveries.redeliver}</button></form></div>
${developerTabs(locale, 'deliveries', isOwner)}
${isRedelivered && message('good', deliveries.redelivered)}
${problem && message('warn', problem)}
<div class="card"><dl class="facts">
<dt>${deliveries.status}</dt><dd>${badge(locale, delivery)}</dd>
<dt>${deliveries.next}</dt><dd>${nextText(locale, delivery)}</dd>
<dt>${deliveries.order}</dt>
<dd>${orderLink(delivery)}</dd>
<dt>${deliveries.created}</dt><dd>${time(locale, createdAt)}</dd>
<dt>${deliveries.eventId}</dt><dd><span class="code" dir="ltr">${eventId}</span></dd>
</dl></div>
<section class="card" aria-labelledby="tries"><h2 id="tries">${deliveries.tries}</h2>
${
  tries.length === 0
    ? html`<p>${deliveries.triesNone}</p>`
    : html`<ol class="timeline">${tries.toReversed().map(one => tryItem(locale, one))}</ol>`
}
</section>
<section class="card" aria-labelledby="request"><h2 id="request">${deliveries.request}</h2>
<h3>${deliveries.headers}</h3>
<pre dir="ltr" tabindex="0" aria-label="${deliveries.headers}">
${headers.map(([name, value]) => `${name}: ${value}\n`)}</pre>
<h3>${deliveries.body}</h3>
<pre dir="ltr" tabindex="0" aria-label="${deliveries.body}">${body}</pre>
</section>`
}
