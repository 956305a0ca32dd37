import { type Html, html, raw } from '../html.ts'
import type { DashboardLocale, Money } from './locale.ts'
import { consequence, copyable, describedBy, field, hidden, message, time } from './parts.ts'
import type { PayableOrder } from './payable.ts'
import { type PayLack, unpayableText } from './payouts.ts'

/** Today's sales in each currency. */
type Today = readonly { sum: Money; count: number }[]

interface CounterModel {
  currency: string
  values: { amount: string; description: string }
  today: Today
  /** ID of the form, so that sending it twice creates one order */
  token: string
  wrong: readonly string[]
  problem: string | null
  /** reasons why buyers cannot pay at all; empty if they can */
  payLacks: readonly PayLack[]
}

const todayText = (locale: DashboardLocale, today: Today): Html => {
  const { counter } = locale.texts
  const sums = today.map(({ sum, count }) => counter.sales({ sum: locale.money(sum), count }))
  const text = today.length === 0 ? counter.todayNothing : counter.today({ sums: sums.join(', ') })
  return html`<p class="soft">${text}</p>`
}

/** The page on which staff enter an amount at the counter. */
export function counterBody(locale: DashboardLocale, model: CounterModel): Html {
  const { counter, newOrder } = locale.texts
  const { currency, values, today, wrong, problem, payLacks } = model
  return html`<h1>${counter.title}</h1>
${problem && message('warn', problem)}
${payLacks.length > 0 && message('warn', unpayableText(locale, payLacks))}
<form method="post" action="/dashboard/counter" class="card counter">
${hidden(locale, { token: model.token })}
${field({
  name: 'amount',
  label: counter.amount({ currency }),
  value: values.amount,
  inputMode: 'decimal',
  autocomplete: 'off',
  problem: wrong.includes('amount') ? newOrder.wrong.amount : undefined,
  isRequired: true,
})}
${field({
  name: 'description',
  label: counter.what,
  value: values.description,
  autocomplete: 'off',
  problem: wrong.includes('description') ? newOrder.wrong.description : undefined,
})}
<button>${counter.submit}</button></form>
${todayText(locale, today)}`
}

/** A sale at the counter: the code to scan, and the status of the payment. */
export interface SaleModel {
  order: PayableOrder
  description: string | null
  today: Today
}

const POLL_SECONDS = 3

function openSale(locale: DashboardLocale, { id, state, left, url, qr }: PayableOrder): Html {
  const { counter, setup } = locale.texts
  const path = `/dashboard/counter/${id}`
  const status = left
    ? counter.part({ left: locale.money(left) })
    : state === 'seen'
      ? counter.seen
      : counter.waiting
  return html`<div class="qr" role="img" aria-label="${setup.product.qr}">${raw(qr)}</div>
<p role="status"><strong>${status}</strong></p>
<div class="row center">
<form method="post" action="${path}/check">${hidden(locale)}
<button class="quiet">${setup.payment.check}</button></form>
<form method="post" action="${path}/stop">${hidden(locale)}
<button class="danger"${describedBy('stopSale')}>${counter.stop}</button></form></div>
${consequence(locale, 'stopSale')}
<p>${copyable(locale, url)}</p>`
}

function closedSale(locale: DashboardLocale, { state, paidAt }: PayableOrder): Html {
  const { counter } = locale.texts
  if (state !== 'paid' || paidAt === null)
    return html`<p class="message warn" role="status">${counter.over}</p>`
  return html`<p class="message good paid" role="status">${counter.paid} ${time(locale, paidAt)}</p>`
}

/** The part of the page that updates itself until the sale is over. */
export function salePart(locale: DashboardLocale, { order, description, today }: SaleModel): Html {
  const { counter } = locale.texts
  const { id, sum, state } = order
  const isOpen = state === 'waiting' || state === 'seen'
  const update = html` hx-get="/dashboard/counter/${id}/part" hx-trigger="every ${POLL_SECONDS}s"
hx-swap="outerMorph"`
  return html`<section class="card sale" id="sale"${isOpen && update}>
<h1>${locale.money(sum)}</h1>
${description && html`<p dir="auto">${description}</p>`}
${isOpen ? openSale(locale, order) : closedSale(locale, order)}
<p><a class="button${isOpen && ' quiet'}" href="/dashboard/counter">${counter.next}</a>
<a class="button quiet" href="/dashboard/orders/${id}">${counter.toOrder}</a></p>
${todayText(locale, today)}</section>`
}
