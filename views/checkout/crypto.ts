import { type Html, html, raw } from '../html.ts'
import { markIcon } from '../icons/icons.ts'
import type { Locale } from '../locale.ts'
import { buttonLink, copyButton, time, transactionLink } from '../parts.ts'
import { askElsewhere } from './elsewhere.ts'
import { checkNow, otherWay, payAgainUrl, payUrl } from './links.ts'
import type { CheckoutModel, CryptoPart, LapsedPart, ReceivedPayment } from './model.ts'

const payment = (locale: Locale, { amount, at, transaction }: ReceivedPayment): Html =>
  html`<div><dt>${time(locale, at)}</dt>
<dd><bdi dir="ltr">${amount}</bdi></dd>
${
  transaction && html`<dd class="transaction"><span>${transactionLink(locale, transaction)}</span></dd>`
}</div>`

/** The payments so far, with their transactions, so that buyers can compare them with their wallet. */
const received = (locale: Locale, payments: ReceivedPayment[]): Html | null =>
  payments.length === 0
    ? null
    : html`<section aria-labelledby="received"><h3 id="received">${locale.texts.crypto.receivedPayments}</h3>
<dl class="lines">${payments.map(one => payment(locale, one))}</dl></section>`

const MINUTE_MS = 60_000

/**
 * The remaining time. The script replaces it with a countdown and empties the bar. Printed pages show the
 * time. While the network cannot be read, the remaining time does not pass.
 */
function timeLeft(locale: Locale, { lockedFrom, lockedUntil, blind }: CryptoPart, now: string): Html | null {
  if (blind !== null) return null
  const { crypto } = locale.texts
  const clock = `${lockedUntil.slice(11, 16)} UTC`
  const minutes = Math.max(1, Math.floor((Date.parse(lockedUntil) - Date.parse(now)) / MINUTE_MS))
  const before = crypto.payBefore({ time: `${clock} (${locale.inMinutes(minutes)})` })
  return html`<span class="left"><span class="unseen" hidden>${crypto.timeLeft} </span>
<time datetime="${lockedUntil}" data-countdown data-warning="${crypto.fewMinutesLeft}"
 data-paper="${crypto.payBefore({ time: clock })}">${before}</time></span>
<span class="bar" aria-hidden="true" data-from="${lockedFrom}" data-until="${lockedUntil}"></span>`
}

const meter = ({ texts }: Locale, done: number, required: number): Html =>
  html`<progress max="${required}" value="${done}" aria-label="${texts.crypto.confirmations}"></progress>`

function confirming(locale: Locale, part: CryptoPart): Html {
  const { crypto: texts } = locale.texts
  const { confirmations, requiredConfirmations, timeToConfirm } = part
  const required = requiredConfirmations ?? 1
  // On some networks a payment becomes final only some time after the last required confirmation.
  const isCounting = confirmations < required
  const progress = isCounting ? texts.progress({ done: confirmations, required }) : texts.lastConfirmation
  return html`<div class="state good" data-announce="${texts.detectedWith({ progress })}">
<h2>${texts.detected}</h2>
<p><strong>${progress}</strong>${timeToConfirm && html` · ${texts.aboutLeft({ time: timeToConfirm })}`}</p>
${isCounting && meter(locale, confirmations, required)}
${part.isCovered && html`<p>${texts.closePage}</p>`}
</div>
${received(locale, part.payments)}`
}

const coins = (amount: string | null, { ticker }: CryptoPart): string => `${amount} ${ticker}`

function underpaid(locale: Locale, part: CryptoPart, now: string): Html {
  const { crypto: texts } = locale.texts
  const title = texts.leftToPay({ amount: coins(part.remaining, part) })
  return html`<div class="state warn" data-announce="${title}">
<h2>${title}</h2>
<p>${texts.sendRest({ received: coins(part.received, part) })}
${timeLeft(locale, part, now)}</p>
</div>
${received(locale, part.payments)}`
}

/** Says that the rest is too small to be sent here. The head of the page says if another way is left. */
const tooSmall = (locale: Locale, part: CryptoPart): Html => {
  const { crypto } = locale.texts
  return html`<div class="state warn" data-announce="${crypto.dustTitle}">
<h2>${crypto.dustTitle}</h2>
</div>
${received(locale, part.payments)}`
}

/** Only the payments so far: they cover the order, or the shop decides. The head of the page says which. */
const nothingAsked = (locale: Locale, part: CryptoPart): Html | null => received(locale, part.payments)

const waiting = (locale: Locale, part: CryptoPart, now: string): Html => html`<p class="wait"
 data-announce="${locale.texts.crypto.waiting}">
<span class="pulse" aria-hidden="true"></span>
${locale.texts.crypto.waiting} ${timeLeft(locale, part, now)}</p>`

const qr = ({ texts: { crypto } }: Locale, model: CheckoutModel, part: CryptoPart): Html => {
  const { qr, isInvoice, isBoth } = part
  const isUri = qr.content === 'uri'
  const label = isUri ? crypto.qrOfPayment : crypto.qrOfAddress
  const code = html`<div role="img" aria-label="${label}">${raw(qr.svg())}</div>`
  if (isInvoice)
    return html`<figure class="qr">
${code}
</figure>`
  return html`<figure class="qr">
${code}
<figcaption>${isUri ? crypto.cannotScan : crypto.onlyAddress}
<a href="${payAgainUrl(model, { qr: isUri ? 'address' : 'uri' })}">
${isUri ? crypto.showAddressOnly : crypto.includeAmount}</a>
${
  isBoth &&
  html`<form method="post" action="${payUrl(model)}/crypto">
<button class="link" name="asset" value="lightning">${crypto.lightningOnly}</button></form>`
}
</figcaption>
</figure>`
}

/** Warns that a rounded amount, or one with a fee deducted, could not be matched to an order. */
const exactAmountNote = ({ texts: { crypto } }: Locale): Html =>
  html`<p class="state warn"><strong>${crypto.exactAmount}</strong> ${crypto.exactAmountReason}</p>`

const networkWarning = ({ texts: { crypto } }: Locale, { ticker, network }: CryptoPart): Html =>
  html`<p class="state warn network"><strong>${crypto.sendOnly({ coin: ticker, network })}</strong>
${crypto.otherCoins}</p>`

/** The details of an invoice. It contains the amount, so there is only one thing to copy. */
function invoiceDetails(locale: Locale, { amount, ticker, address, rate }: CryptoPart): Html {
  const { crypto: texts } = locale.texts
  return html`<dl class="lines">
<div><dt>${texts.amountDue}</dt>
<dd><bdi dir="ltr"><span class="code" id="amount">${amount}</span> ${ticker}</bdi></dd></div>
<div data-copies><dt>${texts.invoice}</dt>
<dd><span class="code invoice" id="address" dir="ltr">${address}</span>
${copyButton(locale, address, texts.theInvoice)}</dd></div>
${rate && html`<div><dt>${texts.rate}</dt><dd><bdi>${rate}</bdi></dd></div>`}
</dl>`
}

function details(locale: Locale, part: CryptoPart): Html {
  const { crypto: texts } = locale.texts
  if (part.isInvoice) return invoiceDetails(locale, part)
  const amount = part.remaining ?? part.amount
  return html`${networkWarning(locale, part)}
<dl class="lines">
<div data-copies><dt>${part.remaining ? texts.amountLeft : texts.amountDue}</dt>
<dd><span><bdi dir="ltr"><span class="code" id="amount">${amount}</span> ${part.ticker}</bdi></span>
${copyButton(locale, amount, texts.theAmount)}</dd>
${!part.isShared && html`<dd class="hint">${texts.exchangeFee}</dd>`}</div>
<div data-copies><dt>${texts.toAddress({ network: part.network })}</dt>
<dd><span class="code" id="address" dir="ltr">${part.address}</span>
${copyButton(locale, part.address, texts.theAddress)}</dd></div>
${part.rate && html`<div><dt>${texts.rate}</dt><dd><bdi>${part.rate}</bdi></dd></div>`}
</dl>
${part.isShared && exactAmountNote(locale)}`
}

/** Placeholder for the name of a wallet, which the script fills in. */
const name = { wallet: '{wallet}' }

/**
 * The place for browser wallets. The script adds a button for each wallet that announces itself, and shows
 * the result of a payment below. It identifies a payment by its order and target.
 */
function browserWallets(
  { texts: { crypto, page } }: Locale,
  { orderId }: CheckoutModel,
  { browserWallet }: CryptoPart,
): Html | null {
  if (browserWallet === null) return null
  const { open, sent, twice, rejected, chain, failed } = crypto.browserWallet
  const { uri, script, transactionUrl } = browserWallet
  const [pay, again] = [crypto.browserWallet.pay(name), crypto.browserWallet.again(name)]
  return html`<div class="wallets" data-wallets="${uri}" data-order="${orderId}" data-script="${script}"
 data-pay="${pay}" data-open="${open}" data-sent="${sent}" data-again="${again}" data-twice="${twice}"
 data-rejected="${rejected}" data-chain="${chain}" data-failed="${failed}"
 data-transaction="${transactionUrl ?? ''}"><p class="hint"><span></span>
<bdi class="code" dir="ltr"></bdi>
<a class="look" target="_blank" rel="noopener nofollow" hidden>${page.explorer}</a></p></div>`
}

/** The ways to pay. Phones show the buttons first, other devices the QR code for a phone. */
const paying = (locale: Locale, model: CheckoutModel, part: CryptoPart): Html => html`<div class="paying">
${details(locale, part)}
<div class="actions">
${buttonLink(part.uri, locale.texts.crypto.openWallet)}
<p class="hint">${part.isInvoice ? locale.texts.crypto.invoiceClosed : locale.texts.crypto.walletClosed}</p>
${browserWallets(locale, model, part)}
${part.faucetUrl && buttonLink(part.faucetUrl, locale.texts.crypto.sendTestCoins, true)}
</div>
${qr(locale, model, part)}
</div>`

function foundBy({ texts: { crypto } }: Locale, { state, network, isAsked }: CryptoPart): string {
  if (state === 'confirming') return crypto.unconfirmed
  if (!isAsked) return crypto.nothingMore
  return state === 'waiting' ? crypto.nothingFound({ network }) : crypto.restMissing
}

const states = { waiting, underpaid, confirming }

function statusOf(locale: Locale, part: CryptoPart, now: string): Html | null {
  if (part.state === 'confirming') return confirming(locale, part)
  if (!part.isAsked) return nothingAsked(locale, part)
  if (part.isTooSmall) return tooSmall(locale, part)
  return states[part.state](locale, part, now)
}

/** An open crypto payment: what to send, where to send it, and its status. */
export function cryptoPart(locale: Locale, model: CheckoutModel, part: CryptoPart): Html {
  const isDetected = part.state === 'confirming' || !part.isAsked || part.isTooSmall
  const due = coins(part.remaining ?? part.amount, part)
  const { pay, payCoin } = locale.texts.crypto
  const asks = part.isToken ? pay({ amount: due, network: part.network }) : payCoin({ amount: due })
  return html`<section aria-labelledby="paying">
<h2 id="paying" class="${isDetected ? 'unseen' : 'coin'}">${markIcon(part.mark, part.ticker)}
<span class="coin-title">${isDetected ? part.assetName : asks}</span></h2>
${statusOf(locale, part, model.now)}
${!isDetected && paying(locale, model, part)}
${checkNow(locale, model, foundBy(locale, part))}
${part.state !== 'confirming' && !part.isInvoice && askElsewhere(locale, model)}
${part.isAsked && otherWay(locale, model)}
</section>`
}

/**
 * A payment whose time has run out. A late payment is still detected. After a partial payment, a new price is
 * for the rest. While the network cannot be read, nobody knows if the buyer has paid, so no new price is
 * offered.
 */
export function lapsedPart(locale: Locale, model: CheckoutModel, part: LapsedPart): Html {
  const { crypto: texts } = locale.texts
  const newPrice = html`<p>${texts.maybePaid}</p>
<form method="post" action="${payUrl(model)}/crypto">
<button class="button" name="asset" value="${part.assetId}">
${texts.newPrice({ coin: part.assetName })}</button></form>`
  return html`<div class="state warn" data-announce="${texts.lapsed}">
<h2>${texts.lapsed}</h2>
${part.blind === null && newPrice}
${checkNow(locale, model, texts.notCovered)}
${askElsewhere(locale, model)}
${otherWay(locale, model)}
</div>`
}
