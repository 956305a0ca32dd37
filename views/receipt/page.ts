import { type Html, html } from '../html.ts'
import { type Frame, layout } from '../layout.ts'
import type { Locale } from '../locale.ts'
import { transactionLink, zonedTime } from '../parts.ts'
import { shopLine } from '../shop.ts'
import type { ReceiptModel, ReceivedModel } from './model.ts'

const row = (label: Html | string, value: Html | string): Html =>
  html`<div><dt>${label}</dt><dd>${value}</dd></div>`

const lines = (locale: Locale, model: ReceiptModel): Html => {
  const { receipt: texts } = locale.texts
  const item = model.item ?? texts.thisOrder({ reference: model.reference })
  return html`<table class="bought">
<thead><tr><th scope="col">${texts.item}</th><th scope="col">${texts.amount}</th></tr></thead>
<tbody><tr><td><bdi>${item}</bdi></td><td><bdi>${model.total}</bdi></td></tr></tbody>
<tfoot><tr><th scope="row">${texts.total}</th><td><bdi>${model.total}</bdi></td></tr>
${model.tax.map(sentence => html`<tr><td colspan="2">${sentence}</td></tr>`)}
${model.refunds.map(
  ({
    at,
    amount,
  }) => html`<tr class="back"><th scope="row">${texts.refunded.html({ date: zonedTime(locale, at) })}</th>
<td><bdi>−${amount}</bdi></td></tr>`,
)}
${
  model.afterRefunds !== null &&
  html`<tr><th scope="row">${texts.afterRefunds}</th><td><bdi>${model.afterRefunds}</bdi></td></tr>`
}</tfoot>
</table>`
}

const vatIds = ({ texts: { receipt } }: Locale, { vatIds: { seller, buyer }, shop }: ReceiptModel): Html[] =>
  [[receipt.vatIdOf({ name: shop.name }), seller] as const, [receipt.yourVatId, buyer] as const].flatMap(
    ([label, id]) => (id === null ? [] : [row(label, html`<bdi class="code">${id}</bdi>`)]),
  )

const payment = (locale: Locale, shown: ReceivedModel, isOne: boolean): Html => {
  const { receipt: texts } = locale.texts
  return html`<dl class="lines">
${row(texts.paidWith, html`<bdi>${shown.method}</bdi>`)}
${shown.received && row(texts.received, html`<bdi dir="ltr">${shown.received}</bdi>`)}
${shown.worth && row(locale.texts.paymentMail.worth, html`<bdi>${shown.worth}</bdi>`)}
${shown.rate && row(texts.rate, html`<bdi>${shown.rate}</bdi>`)}
${!isOne && row(texts.paidOn, zonedTime(locale, shown.at))}
${shown.transaction && row(texts.transaction, transactionLink(locale, shown.transaction))}
</dl>`
}

/** The receipt of a paid order, which prints on one page. */
export function receiptPage(locale: Locale, model: ReceiptModel, { assets, isSandbox }: Frame): string {
  const { receipt: texts } = locale.texts
  const { shop, payments } = model
  return layout({
    locale,
    url: `/pay/${model.orderId}/receipt`,
    title: texts.titleOf({ shop: shop.name }),
    assets,
    isSandbox,
    shop,
    body: html`<article class="card receipt">
<header>${shopLine(shop)}
<h1 class="small-title">${texts.title}</h1>
<dl class="lines">
${row(texts.order, html`<bdi class="code">${model.reference}</bdi>`)}
${row(texts.paidOn, zonedTime(locale, model.paidAt))}
${vatIds(locale, model)}
</dl></header>
${lines(locale, model)}
<section aria-labelledby="payment"><h2 id="payment" class="receipt-part">${texts.payment}</h2>
${payments.map(shown => payment(locale, shown, payments.length === 1))}
${payments.length === 0 && html`<p>${texts.byMerchant({ shop: shop.name })}</p>`}
</section>
${isSandbox && html`<p class="state warn network">${texts.sandbox}</p>`}
<p class="open screen"><button type="button" class="button" data-print hidden>${texts.print}</button></p>
${
  model.invoiceUrl &&
  html`<p class="other screen"><a href="${model.invoiceUrl}">${locale.texts.invoice.show}</a></p>`
}
<p class="other screen"><a href="/pay/${model.orderId}">${texts.backToOrder}</a></p>
</article>`,
  })
}
