import { type Html, html, raw } from '../html.ts'
import type { Locale } from '../locale.ts'
import { buttonLink } from '../parts.ts'
import { checkNow, otherWay, payUrl } from './links.ts'
import type { CheckoutModel, CryptoPart } from './model.ts'

const copy = ({ texts }: Locale, text: string, what: string): Html =>
  html`<button type="button" class="copy" data-copy="${text}" hidden>${texts.page.copy}<span class="unseen">
${what}</span></button>`

/** The script replaces the time with a countdown and shows its label. */
function timeLeft({ texts: { crypto } }: Locale, { lockedUntil }: CryptoPart): Html {
  const before = crypto.payBefore(`${lockedUntil.slice(11, 16)} UTC`)
  return html`<span class="left"><span class="unseen" hidden>${crypto.timeLeft} </span>
<time datetime="${lockedUntil}" data-countdown>${before}</time></span>`
}

const meter = ({ texts }: Locale, done: number, required: number): Html =>
  html`<progress max="${required}" value="${done}" aria-label="${texts.crypto.confirmations}"></progress>`

function confirming(locale: Locale, { confirmations, requiredConfirmations }: CryptoPart): Html {
  const { crypto: texts } = locale.texts
  const required = requiredConfirmations ?? 1
  // On some networks a payment is final only some time after the last required confirmation.
  const isCounting = confirmations < required
  const progress = isCounting ? texts.progress(confirmations, required) : texts.lastConfirmation
  return html`<div class="state good" data-announce="${texts.detectedWith(progress)}">
<h2>${texts.detected}</h2>
<p><strong>${progress}</strong>. ${texts.closePage}</p>
${isCounting && meter(locale, confirmations, required)}
</div>`
}

const coins = (amount: string | null, { ticker }: CryptoPart): string => `${amount} ${ticker}`

function underpaid(locale: Locale, part: CryptoPart): Html {
  const { crypto: texts } = locale.texts
  const title = texts.leftToPay(coins(part.remaining, part))
  return html`<div class="state warn" data-announce="${title}">
<h2>${title}</h2>
<p>${texts.sendRest(coins(part.received, part))}
${timeLeft(locale, part)}</p>
</div>`
}

const dust = ({ texts: { crypto } }: Locale, part: CryptoPart): Html =>
  html`<div class="state warn" data-announce="${crypto.dustTitle}">
<h2>${crypto.dustTitle}</h2>
<p>${crypto.dust(part.received ?? '', coins(part.amount, part))}</p>
</div>`

const waiting = (locale: Locale, part: CryptoPart): Html => html`<p class="wait"
 data-announce="${locale.texts.crypto.waiting}">
<span class="pulse" aria-hidden="true"></span>
${locale.texts.crypto.waiting} ${timeLeft(locale, part)}</p>`

const qr = ({ texts: { crypto } }: Locale, model: CheckoutModel, { qr }: CryptoPart): Html => {
  const isUri = qr.content === 'uri'
  return html`<figure class="qr">
<div role="img" aria-label="${isUri ? crypto.qrOfPayment : crypto.qrOfAddress}">${raw(qr.svg)}</div>
<figcaption>${isUri ? crypto.cannotScan : crypto.onlyAddress}
<a href="${payUrl(model)}${isUri && '?qr=address'}">
${isUri ? crypto.showAddressOnly : crypto.includeAmount}</a>
</figcaption>
</figure>`
}

/** A rounded amount, or one with a fee deducted, could not be matched to an order. */
const exactAmountNote = ({ texts: { crypto } }: Locale): Html =>
  html`<p class="state warn"><strong>${crypto.exactAmount}</strong> ${crypto.exactAmountReason}</p>`

const networkWarning = ({ texts: { crypto } }: Locale, { ticker, network }: CryptoPart): Html =>
  html`<p class="state warn network"><strong>${crypto.sendOnly(ticker, network)}</strong>
${crypto.otherCoins}</p>`

function details(locale: Locale, part: CryptoPart): Html {
  const { crypto: texts } = locale.texts
  const amount = part.remaining ?? part.amount
  return html`${networkWarning(locale, part)}
<dl class="lines">
<div><dt>${part.remaining ? texts.amountLeft : texts.amountDue}</dt>
<dd><span><bdi dir="ltr"><span class="code" id="amount">${amount}</span> ${part.ticker}</bdi></span>
${copy(locale, amount, texts.theAmount)}</dd></div>
<div><dt>${texts.toAddress(part.network)}</dt>
<dd><span class="code" id="address" dir="ltr">${part.address}</span>
${copy(locale, part.address, texts.theAddress)}</dd></div>
${part.rate && html`<div><dt>${texts.rate}</dt><dd><bdi>${part.rate}</bdi></dd></div>`}
</dl>
${part.isShared && exactAmountNote(locale)}`
}

const paying = (
  locale: Locale,
  model: CheckoutModel,
  part: CryptoPart,
): Html => html`${qr(locale, model, part)}
${buttonLink(part.uri, locale.texts.crypto.openWallet)}
${part.faucetUrl && buttonLink(part.faucetUrl, locale.texts.crypto.sendTestCoins, true)}
${details(locale, part)}`

function foundBy({ texts: { crypto } }: Locale, { state, network, lacksOnlyDust }: CryptoPart): string {
  if (state === 'waiting') return crypto.nothingFound(network)
  if (state === 'confirming') return crypto.unconfirmed
  return lacksOnlyDust ? crypto.nothingMore : crypto.restMissing
}

const statusOf = { waiting, underpaid, confirming }

/** An open crypto payment: what to send, where to send it, and its status. */
export function cryptoPart(locale: Locale, model: CheckoutModel, part: CryptoPart): Html {
  const isDetected = part.state === 'confirming' || part.lacksOnlyDust
  const title = locale.texts.crypto.payWith(part.assetName)
  return html`<section aria-labelledby="paying">
<h2 id="paying"${isDetected && html` class="unseen"`}>${title}</h2>
${part.lacksOnlyDust ? dust(locale, part) : statusOf[part.state](locale, part)}
${!isDetected && paying(locale, model, part)}
${checkNow(locale, model, foundBy(locale, part))}
${part.state !== 'confirming' && otherWay(locale, model)}
</section>`
}
