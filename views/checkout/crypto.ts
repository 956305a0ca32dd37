import { type Html, html, raw } from '../html.ts'
import { buttonLink } from '../parts.ts'
import { checkNow, otherWay, payUrl } from './links.ts'
import type { CheckoutModel, CryptoPart, LapsedPart } from './model.ts'

const copy = (text: string, what: string): Html =>
  html`<button type="button" class="copy" data-copy="${text}" hidden>Copy<span class="unseen">
${what}</span></button>`

/** The script replaces the time with a countdown and shows its label. */
const timeLeft = ({ lockedUntil }: CryptoPart): Html =>
  html`<span class="left"><span class="unseen" hidden>Time left: </span>
<time datetime="${lockedUntil}" data-countdown>Pay before ${lockedUntil.slice(11, 16)} UTC</time></span>`

const meter = (done: number, required: number): Html =>
  html`<progress max="${required}" value="${done}" aria-label="Confirmations"></progress>`

function confirming({ confirmations, requiredConfirmations }: CryptoPart): Html {
  const required = requiredConfirmations ?? 1
  // On some networks a payment is final only some time after the last required confirmation.
  const isCounting = confirmations < required
  const progress = isCounting
    ? `${confirmations} of ${required} confirmations`
    : 'Waiting for final confirmation'
  return html`<div class="state good" data-announce="Payment detected: ${progress}">
<h2>Payment detected</h2>
<p><strong>${progress}</strong>. You can close this page; your order will still be marked as paid.</p>
${isCounting && meter(confirmations, required)}
</div>`
}

const underpaid = (part: CryptoPart): Html =>
  html`<div class="state warn" data-announce="${part.remaining} ${part.ticker} left to pay">
<h2>${part.remaining} ${part.ticker} left to pay</h2>
<p>We received ${part.received} ${part.ticker}. Please send the rest to the same address.
${timeLeft(part)}</p>
</div>`

const dust = (part: CryptoPart): Html =>
  html`<div class="state warn" data-announce="The remaining amount is too small to send">
<h2>The remaining amount is too small to send</h2>
<p>We received ${part.received} of ${part.amount} ${part.ticker}, and the shop has been notified. You don’t
need to send anything more. Please contact the shop if your order isn’t confirmed soon.</p>
</div>`

const waiting = (part: CryptoPart): Html => html`<p class="wait" data-announce="Waiting for your payment">
<span class="pulse" aria-hidden="true"></span>
Waiting for your payment ${timeLeft(part)}</p>`

const qr = (model: CheckoutModel, { qr }: CryptoPart): Html => {
  const isUri = qr.content === 'uri'
  return html`<figure class="qr">
<div role="img" aria-label="QR code of the ${isUri ? 'payment' : 'address'}">${raw(qr.svg)}</div>
<figcaption>${isUri ? 'Wallet can’t scan this code?' : 'This code contains only the address.'}
<a href="${payUrl(model)}${isUri && '?qr=address'}">
${isUri ? 'Show the address only' : 'Include the amount'}</a>
</figcaption>
</figure>`
}

/** A rounded amount, or one with a fee deducted, could not be matched to an order. */
const exactAmountNote = html`<p class="state warn"><strong>Send exactly this amount, in one
transaction.</strong> We identify your payment by its amount, so make sure that your
wallet or exchange doesn’t deduct its fee from it.</p>`

const networkWarning = ({ ticker, network }: CryptoPart): Html =>
  html`<p class="state warn network"><strong>Send only ${ticker} on the ${network} network.</strong>
Other coins, or coins sent on other networks, won’t pay this order and may be lost.</p>`

function details(part: CryptoPart): Html {
  const amount = part.remaining ?? part.amount
  return html`${networkWarning(part)}
<dl class="lines">
<div><dt>${part.remaining ? 'Left to pay' : 'Send exactly'}</dt>
<dd><span><span class="code" id="amount">${amount}</span> ${part.ticker}</span>
${copy(amount, 'the amount')}</dd></div>
<div><dt>To this ${part.network} address</dt>
<dd><span class="code" id="address">${part.address}</span>
${copy(part.address, 'the address')}</dd></div>
${part.rate && html`<div><dt>Rate</dt><dd>${part.rate}</dd></div>`}
</dl>
${part.isShared && exactAmountNote}`
}

const paying = (model: CheckoutModel, part: CryptoPart): Html => html`${qr(model, part)}
${buttonLink(part.uri, 'Open in wallet')}
${part.faucetUrl && buttonLink(part.faucetUrl, 'Send test coins', true)}
${details(part)}`

const foundBy: Record<CryptoPart['state'], (part: CryptoPart) => string> = {
  waiting: ({ network }) => `No payment detected on ${network} yet.`,
  underpaid: ({ lacksOnlyDust }) =>
    lacksOnlyDust ? 'Nothing more has arrived.' : 'The rest hasn’t arrived yet.',
  confirming: () => 'The payment isn’t confirmed yet.',
}

const statusOf = { waiting, underpaid, confirming }

/** An open crypto payment: what to send, where to send it, and its status. */
export function cryptoPart(model: CheckoutModel, part: CryptoPart): Html {
  const isDetected = part.state === 'confirming' || part.lacksOnlyDust
  return html`<section aria-labelledby="paying">
<h2 id="paying"${isDetected && html` class="unseen"`}>Pay with ${part.assetName}</h2>
${part.lacksOnlyDust ? dust(part) : statusOf[part.state](part)}
${!isDetected && paying(model, part)}
${checkNow(model, foundBy[part.state](part))}
${part.state !== 'confirming' && otherWay(model)}
</section>`
}

const tooLittle = ({ received, amount, ticker }: LapsedPart): Html =>
  html`<p>We received ${received} of ${amount} ${ticker}. Your payment is safe.
Please contact the shop before paying again.</p>`

const maybePaid = html`<p>Did you just pay? Your payment will still be detected; you can close this page.
Otherwise, get a new price.</p>`

/** A late payment is still detected. After a partial payment, a new price is not the main action. */
export const lapsedPart = (model: CheckoutModel, part: LapsedPart): Html => html`<div class="state warn"
 data-announce="The time to pay has run out">
<h2>The time to pay has run out</h2>
${part.received ? tooLittle(part) : maybePaid}
<form method="post" action="${payUrl(model)}/crypto">
<button class="button${part.received && ' quiet'}" name="asset" value="${part.assetId}">
Get a new ${part.assetName} price</button></form>
${checkNow(model, 'No payment that covers the order was detected.')}
${otherWay(model)}
</div>`
