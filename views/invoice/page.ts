import { type Html, html } from '../html.ts'
import { type Frame, layout } from '../layout.ts'
import type { Locale } from '../locale.ts'
import { shopLine } from '../shop.ts'
import type { InvoiceModel, PartyModel } from './model.ts'

const row = (label: string, value: Html | string): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

function party({ texts: { invoice } }: Locale, model: PartyModel): Html {
  const { name, address, vatId, taxNumber, contacts } = model
  return html`<p><strong dir="auto">${name}</strong>
${[...address, ...contacts].map(line => html`<br><bdi>${line}</bdi>`)}
${vatId && html`<br>${invoice.vatId}: <bdi dir="ltr">${vatId}</bdi>`}
${taxNumber && html`<br>${invoice.taxNumber}: <bdi dir="ltr">${taxNumber}</bdi>`}</p>`
}

const sum = (label: string, amount: string): Html =>
  html`<tr><th scope="row">${label}</th><td><bdi>${amount}</bdi></td></tr>`

function lines({ texts: { invoice, receipt } }: Locale, model: InvoiceModel): Html {
  const { item, net, gross, paid, due, isDue, isCreditNote } = model
  return html`<table class="bought">
<thead><tr><th scope="col">${receipt.item}</th><th scope="col">${invoice.net}</th></tr></thead>
<tbody>${model.lines.map(
    line => html`<tr><td><bdi>${item}</bdi></td><td><bdi>${line.net}</bdi></td></tr>`,
  )}</tbody>
<tfoot>${sum(invoice.net, net)}
${model.lines.map(line => sum(invoice.tax({ rate: line.rate }), line.tax))}
${sum(receipt.total, gross)}
${!isCreditNote && sum(invoice.paid, paid)}
${isDue && sum(invoice.due, due)}</tfoot>
</table>`
}

const payment = ({ texts: { receipt } }: Locale, model: InvoiceModel['payments'][number]): Html => {
  const { method, received, rate, transactionId, date } = model
  return html`<dl class="lines">
${row(receipt.paidWith, html`<bdi>${method}</bdi>`)}
${received && row(receipt.received, html`<bdi dir="ltr">${received}</bdi>`)}
${rate && row(receipt.rate, html`<bdi>${rate}</bdi>`)}
${row(receipt.paidOn, date)}
${transactionId && row(receipt.transaction, html`<bdi class="code" dir="ltr">${transactionId}</bdi>`)}
</dl>`
}

/** The name of a document: "Invoice 2026-000042" or "Credit note 2026-000043". */
export const nameOf = (
  { texts: { invoice } }: Locale,
  { isCreditNote, number }: Pick<InvoiceModel, 'isCreditNote' | 'number'>,
): string => (isCreditNote ? invoice.creditNote({ number }) : invoice.invoice({ number }))

function links(locale: Locale, model: InvoiceModel): Html {
  const { invoice, receipt } = locale.texts
  const { others, orderId, payUrl, pdfUrl, xmlUrl } = model
  return html`
${payUrl && html`<p class="open screen"><a class="button" href="${payUrl}">${invoice.pay}</a></p>`}
<p class="open screen">
<button type="button" class="button quiet" data-print hidden>${receipt.print}</button></p>
${pdfUrl && html`<p class="other screen"><a href="${pdfUrl}" download>PDF</a></p>`}
${xmlUrl && html`<p class="other screen"><a href="${xmlUrl}" download>${invoice.file}</a></p>`}
${others.map(other => html`<p class="other screen"><a href="${other.url}">${nameOf(locale, other)}</a></p>`)}
<p class="other screen"><a href="/pay/${orderId}">${receipt.backToOrder}</a></p>`
}

/** An invoice or credit note, which prints on one page. */
export function invoicePage(locale: Locale, model: InvoiceModel, { assets, isSandbox }: Frame): string {
  const { invoice, receipt } = locale.texts
  const { shop, seller, buyer, reasons, payments, corrects, number } = model
  return layout({
    locale,
    url: `/pay/${model.orderId}/invoice?number=${number}`,
    title: nameOf(locale, model),
    assets,
    isSandbox,
    shop,
    body: html`<article class="card receipt">
<header>${shopLine(shop)}
${party(locale, seller)}
<h1 class="small-title">${nameOf(locale, model)}</h1>
${corrects && html`<p>${invoice.corrects({ number: corrects.number, date: corrects.date })}</p>`}
<dl class="lines">
${row(invoice.issued, model.issued)}
${row(invoice.supplied, model.supplied)}
${row(receipt.order, html`<bdi class="code">${model.order}</bdi>`)}
</dl></header>
<section aria-labelledby="buyer"><h2 id="buyer" class="receipt-part">${invoice.buyer}</h2>
${party(locale, buyer)}</section>
${lines(locale, model)}
${reasons.map(reason => html`<p dir="auto">${reason}</p>`)}
${
  payments.length > 0 &&
  html`<section aria-labelledby="payment"><h2 id="payment" class="receipt-part">${receipt.payment}</h2>
${payments.map(one => payment(locale, one))}</section>`
}
${isSandbox && html`<p class="state warn network">${receipt.sandbox}</p>`}
${links(locale, model)}
</article>`,
  })
}
