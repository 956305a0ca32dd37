import { type Html, html, raw } from '../html.ts'
import type { CheckoutModel, CryptoPart, LapsedPart } from './model.ts'

const utc = (instant: string): string => `${instant.slice(11, 16)} UTC`

const copy = (text: string, what: string): Html =>
  html`<button type="button" class="copy" data-copy="${text}" hidden>Copy<span class="unseen"> ${what}</span></button>`

const chooseLink = (model: CheckoutModel): Html =>
  html`<p class="other"><a href="/pay/${model.orderId}?choose=${model.attempts}">Pay another way</a></p>`

function standing(part: CryptoPart): Html {
  const required = part.requiredConfirmations
  if (part.state === 'confirming') {
    const progress = required ? `${Math.min(part.confirmations, required)} of ${required}` : 'soon'
    return html`<div class="state good" data-announce="Payment seen, confirmations ${progress}">
<h2>Payment seen</h2>
<p>Waiting for confirmations: <strong>${progress}</strong>. You may close this page, the order is paid without it.</p>
${required && html`<progress max="${required}" value="${Math.min(part.confirmations, required)}">${progress}</progress>`}
</div>`
  }
  if (part.state === 'underpaid') {
    return html`<div class="state warn" data-announce="Still due: ${part.stillDue} ${part.ticker}">
<h2>Still due: ${part.stillDue} ${part.ticker}</h2>
<p>${part.received} ${part.ticker} arrived. Send the rest to the same address before the time is over.</p>
</div>`
  }
  return html`<p class="wait" data-announce="Waiting for your payment"><span class="pulse" aria-hidden="true"></span>
Waiting for your payment</p>`
}

const qr = (model: CheckoutModel, part: CryptoPart): Html => html`<figure class="qr">
<div role="img" aria-label="QR code of the ${part.qr.holds === 'uri' ? 'payment' : 'address'}">${raw(part.qr.svg)}</div>
<figcaption>${
  part.qr.holds === 'uri'
    ? html`Your wallet does not read it? <a href="/pay/${model.orderId}?qr=address">QR code of the address only</a>`
    : html`This code holds the address only. <a href="/pay/${model.orderId}">QR code with the amount</a>`
}</figcaption>
</figure>`

const lines = (part: CryptoPart): Html => {
  const amount = part.stillDue ?? part.amount
  return html`<dl class="lines">
<div><dt>${part.stillDue ? 'Still due' : 'Send exactly'}</dt>
<dd><span class="code" id="amount">${amount}</span> ${part.ticker} ${copy(amount, 'the amount')}</dd></div>
<div><dt>To this ${part.network} address</dt>
<dd><span class="code wrap" id="address">${part.address}</span> ${copy(part.address, 'the address')}</dd></div>
<div><dt>Time left</dt>
<dd><time datetime="${part.lockedUntil}" data-countdown>until ${utc(part.lockedUntil)}</time></dd></div>
<div><dt>Rate</dt><dd>${part.rate}</dd></div>
</dl>`
}

/** A crypto payment that stands: what to send, where, and what has become of it. */
export function cryptoPart(model: CheckoutModel, part: CryptoPart): Html {
  const isSeen = part.state === 'confirming'
  return html`<section aria-labelledby="paying">
<h2 id="paying" class="unseen">Pay with ${part.assetName}</h2>
${standing(part)}
${!isSeen && qr(model, part)}
${!isSeen && html`<p class="open"><a class="button" href="${part.uri}">Open in wallet</a></p>`}
${!isSeen && part.faucetUrl && html`<p class="open"><a class="button quiet" href="${part.faucetUrl}">Send test coins</a></p>`}
${!isSeen && lines(part)}
${
  !isSeen &&
  html`<p class="hint">Send only ${part.ticker} on ${part.network}. Anything else sent here does not pay the order.</p>`
}
<form method="post" action="/pay/${model.orderId}/check"><button class="button quiet">Check now</button></form>
${!isSeen && chooseLink(model)}
</section>`
}

/** The lock is over: a late payment is still watched for, and a fresh quote is one press away. */
export const lapsedPart = (model: CheckoutModel, part: LapsedPart): Html => html`<div class="state warn"
 data-announce="The time for this payment is over">
<h2>The time for this payment is over</h2>
${
  part.received
    ? html`<p>${part.received} of ${part.amount} ${part.ticker} arrived, which is too little. Nothing is lost: the shop
sees it. Ask the shop before you pay again.</p>`
    : html`<p>Have you just paid? Leave this page open: a payment that is on its way is still found. If not, take a
fresh amount and address.</p>`
}
<form method="post" action="/pay/${model.orderId}/crypto">
<button class="button" name="asset" value="${part.assetId}">Fresh amount in ${part.assetName}</button></form>
<form method="post" action="/pay/${model.orderId}/check"><button class="button quiet">Check now</button></form>
${chooseLink(model)}
</div>`
