import { type Html, html, raw } from '../html.ts'
import { type Guide, guidePage } from './guide.ts'
import type { DashboardLocale } from './locale.ts'
import { copyable, field, hidden, message } from './parts.ts'
import type { PayableOrder } from './payable.ts'
import { type PayLack, unpayableText } from './payouts.ts'

export interface GuidePaymentModel {
  isSandbox: boolean
  order: PayableOrder | null
  /** amount in the form for a real order */
  amount: string
  currency: string
  isWrong: boolean
  problem: string | null
  /** reasons why buyers cannot pay at all; empty if they can */
  payLacks: readonly PayLack[]
}

const POLL_SECONDS = 5

/**
 * The status of the order, which updates itself until the order is paid. Then it has its own link to the next
 * step, because the rest of the page still offers to skip this one.
 */
export function triedOrder(locale: DashboardLocale, order: PayableOrder, nextUrl: string | null): Html {
  const { setup } = locale.texts
  const { id, state, paidAt, url, qr } = order
  const sum = locale.money(order.sum)
  if (state === 'paid' && paidAt !== null)
    return html`<section class="card" id="tried">
${message('good', setup.payment.paid({ sum, time: locale.dateTime(paidAt) }))}
<div class="row">${nextUrl && html`<a class="button" href="${nextUrl}">${setup.finish}</a>`}
<a class="button quiet" href="/dashboard/orders/${id}">${setup.payment.toOrder}</a></div>
<p><a href="/dashboard/notices">${setup.payment.notify}</a></p></section>`
  if (state === 'over')
    return html`<section class="card" id="tried">${message('warn', setup.payment.over)}</section>`
  return html`<section class="card" id="tried" hx-get="/dashboard/setup/payment/part"
hx-trigger="every ${POLL_SECONDS}s" hx-swap="outerMorph">
<p>${setup.payment.scan({ sum })}</p>
<div class="qr" role="img" aria-label="${setup.product.qr}">${raw(qr)}</div>
<p>${copyable(locale, url)}</p>
<p><a class="button" href="${url}" target="_blank">${setup.product.open}</a></p>
<p role="status">${state === 'seen' ? setup.payment.seen : setup.payment.waiting}</p>
<form method="post" action="/dashboard/setup/payment/check">
${hidden(locale)}<button class="quiet small">${setup.payment.check}
</button></form></section>`
}

function lack(locale: DashboardLocale, lacks: readonly PayLack[]): Html {
  const { setup } = locale.texts
  const [text, action] = lacks.includes('wallet')
    ? [setup.payment.needsWallet, setup.payment.toWallets]
    : [unpayableText(locale, lacks), setup.payment.toPayouts]
  return html`<div class="message warn"><p>${text}</p>
<p><a href="/dashboard/setup/payouts">${action}</a></p></div>`
}

function forms(locale: DashboardLocale, model: GuidePaymentModel): Html {
  const { setup } = locale.texts
  const { isSandbox, amount, currency, isWrong } = model
  return html`<form method="post" action="/dashboard/setup/payment" class="card">${hidden(locale)}
${
  !isSandbox &&
  field({
    name: 'amount',
    label: setup.payment.amount({ currency }),
    value: amount,
    inputMode: 'decimal',
    problem: isWrong ? setup.payment.wrongAmount : undefined,
    isRequired: true,
  })
}
<button>${isSandbox ? setup.payment.pay : setup.payment.create}</button></form>`
}

/** The step of the setup in which people try a payment as a buyer. */
export function guidePaymentBody(locale: DashboardLocale, guide: Guide, model: GuidePaymentModel): Html {
  const { setup } = locale.texts
  const { isSandbox, order, payLacks, problem } = model
  const isOpen = order !== null && order.state !== 'over'
  const intro = isSandbox ? setup.payment.sandboxIntro : setup.payment.liveIntro
  const body = html`${!isOpen && html`<p>${intro}</p>`}
${problem && message('warn', problem)}
${payLacks.length > 0 && !isOpen && lack(locale, payLacks)}
${order && triedOrder(locale, order, null)}
${!isOpen && payLacks.length === 0 && forms(locale, model)}`
  return guidePage(locale, guide, setup.payment.title, body)
}
