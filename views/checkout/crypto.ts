import { type Html, html, raw } from '../html.ts'
import { buttonLink } from '../parts.ts'
import { checkNow, otherWay, payUrl } from './links.ts'
import type { CheckoutModel, CryptoPart, LapsedPart } from './model.ts'

const copy = (text: string, what: string): Html =>
  html`<button type="button" class="copy" data-copy="${text}" hidden>Copy<span class="unseen">
${what}</span></button>`

const timeLeft = ({ lockedUntil }: CryptoPart): Html =>
  html`<span class="left"><span class="unseen">Time left: </span>
<time datetime="${lockedUntil}" data-countdown>until ${lockedUntil.slice(11, 16)} UTC</time></span>`

const meter = (done: number, required: number): Html =>
  html`<progress max="${required}" value="${done}" aria-label="Confirmations"></progress>`

function confirming({ confirmations, requiredConfirmations }: CryptoPart): Html {
  const required = requiredConfirmations ?? 1
  // Some networks say themselves when a payment is final, which may take longer than so many blocks.
  const isCounting = confirmations < required
  const progress = isCounting
    ? `${confirmations} of ${required} confirmations`
    : 'until the network calls it final'
  return html`<div class="state good" data-announce="Payment seen, waiting: ${progress}">
<h2>Payment seen</h2>
<p>Waiting: <strong>${progress}</strong>. You may close this page, the order is paid without it.</p>
${isCounting && meter(confirmations, required)}
</div>`
}

const underpaid = (part: CryptoPart): Html =>
  html`<div class="state warn" data-announce="Still due: ${part.remainingAtomic} ${part.ticker}">
<h2>Still due: ${part.remainingAtomic} ${part.ticker}</h2>
<p>${part.received} ${part.ticker} arrived. Send the rest to the same address in time: ${timeLeft(part)}</p>
</div>`

const waiting = (part: CryptoPart): Html => html`<p class="wait" data-announce="Waiting for your payment">
<span class="pulse" aria-hidden="true"></span>
Waiting for your payment ${timeLeft(part)}</p>`

const qr = (model: CheckoutModel, { qr }: CryptoPart): Html => {
  const isUri = qr.holds === 'uri'
  return html`<figure class="qr">
<div role="img" aria-label="QR code of the ${isUri ? 'payment' : 'address'}">${raw(qr.svg)}</div>
<figcaption>${isUri ? 'Your wallet does not read it?' : 'This code holds the address only.'}
<a href="${payUrl(model)}${isUri && '?qr=address'}">
${isUri ? 'Show the address only' : 'Show the amount too'}</a>
</figcaption>
</figure>`
}

/** A rounded amount, or one less a fee that an exchange keeps, would be nobody's. */
const exactly = html`<p class="state warn"><strong>To the last digit:</strong> your payment is known by its
amount alone. Send it in one transaction, and let no fee be taken from it.</p>`

function lines(part: CryptoPart): Html {
  const amount = part.remainingAtomic ?? part.amount
  return html`<dl class="lines">
<div><dt>${part.remainingAtomic ? 'Still due' : 'Send exactly'}</dt>
<dd><span><span class="code" id="amount">${amount}</span> ${part.ticker}</span>
${copy(amount, 'the amount')}</dd></div>
<div><dt>To this ${part.network} address</dt>
<dd><span class="code" id="address">${part.address}</span>
${copy(part.address, 'the address')}</dd></div>
${part.rate && html`<div><dt>Rate</dt><dd>${part.rate}</dd></div>`}
</dl>
${part.isShared && exactly}
<p class="hint">Send only ${part.ticker} on ${part.network}.
Anything else sent here does not pay the order.</p>`
}

const paying = (model: CheckoutModel, part: CryptoPart): Html => html`${qr(model, part)}
${buttonLink(part.uri, 'Open in wallet')}
${part.faucetUrl && buttonLink(part.faucetUrl, 'Send test coins', true)}
${lines(part)}`

const standing = { waiting, underpaid, confirming }

/** A crypto payment that stands: what to send, where, and what has become of it. */
export function cryptoPart(model: CheckoutModel, part: CryptoPart): Html {
  const isSeen = part.state === 'confirming'
  return html`<section aria-labelledby="paying">
<h2 id="paying" class="unseen">Pay with ${part.assetName}</h2>
${standing[part.state](part)}
${!isSeen && paying(model, part)}
${checkNow(model)}
${!isSeen && otherWay(model)}
</section>`
}

const tooLittle = ({ received, amount, ticker }: LapsedPart): Html =>
  html`<p>${received} of ${amount} ${ticker} arrived, which is too little. Nothing is lost: the shop sees it.
Ask the shop before you pay again.</p>`

const perhapsPaid = html`<p>Have you just paid? Leave this page open: a payment on its way is still found.
If not, take a fresh amount and address.</p>`

/** The lock is over: a late payment is still watched for, and a fresh quote is one press away. */
export const lapsedPart = (model: CheckoutModel, part: LapsedPart): Html => html`<div class="state warn"
 data-announce="The time for this payment is over">
<h2>The time for this payment is over</h2>
${part.received ? tooLittle(part) : perhapsPaid}
<form method="post" action="${payUrl(model)}/crypto">
<button class="button" name="asset" value="${part.assetId}">Fresh amount in ${part.assetName}</button></form>
${checkNow(model)}
${otherWay(model)}
</div>`
