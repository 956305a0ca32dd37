import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { time, transactionLink } from '../parts.ts'
import type { ReceivedPayment } from './model.ts'

const payment = (locale: Locale, { amount, at, transaction }: ReceivedPayment): Html =>
  html`<div><dt>${time(locale, at)}</dt>
<dd><bdi dir="ltr">${amount}</bdi></dd>
${
  transaction && html`<dd class="transaction"><span>${transactionLink(locale, transaction)}</span></dd>`
}</div>`

/** The payments so far, with their transactions, so that buyers can compare them with their wallet. */
export const received = (locale: Locale, payments: ReceivedPayment[]): Html | null =>
  payments.length === 0
    ? null
    : html`<section aria-labelledby="received"><h3 id="received">${locale.texts.crypto.receivedPayments}</h3>
<dl class="lines">${payments.map(one => payment(locale, one))}</dl></section>`
