import { type Html, html } from '../html.ts'
import { type Frame, layout } from '../layout.ts'
import type { Locale } from '../locale.ts'
import { live, newTabLink } from '../parts.ts'
import { choosePart } from './choose.ts'
import { cryptoPart, lapsedPart } from './crypto.ts'
import { decidedTitle, endPart } from './end.ts'
import { checkNow, otherWay, payAgainUrl, processUrl } from './links.ts'
import type { CheckoutModel, Part, RedirectPart } from './model.ts'
import { blindNote, moneyLines, otherPayments } from './money.ts'
import { noticePart } from './notice.ts'
import { orderSummary } from './order.ts'

const waiting = (
  { texts: { provider } }: Locale,
  method: string,
): Html => html`<h2 id="paying" class="unseen">
${provider.payWith({ method })}</h2>
<p class="wait" data-announce="${provider.waiting({ method })}"><span class="pulse" aria-hidden="true"></span>
${provider.waiting({ method })}</p>
<p class="hint">${provider.otherTab}</p>`

/** A payment that the provider has yet to confirm, which takes days for a bank debit. */
function confirming(locale: Locale, model: CheckoutModel, { methodName, isAsked }: RedirectPart): Html {
  const { crypto, provider } = locale.texts
  const unconfirmed = provider.unconfirmed({ method: methodName })
  return html`<div class="state good" data-announce="${crypto.detectedWith({ progress: unconfirmed })}">
<h2>${crypto.detected}</h2>
<p>${unconfirmed}</p>
</div>
${checkNow(locale, model, unconfirmed)}
${isAsked && otherWay(locale, model)}`
}

/**
 * The part that is shown while the provider's page is open in another tab. It waits for the result, if
 * anything is asked for.
 */
function redirectPart(locale: Locale, model: CheckoutModel, part: RedirectPart): Html {
  const { crypto, provider } = locale.texts
  const { methodKey, methodName, isAsked } = part
  if (part.isConfirming) return confirming(locale, model, part)
  if (!isAsked) return checkNow(locale, model, crypto.nothingMore)
  return html`<section aria-labelledby="paying">
${waiting(locale, methodName)}
${newTabLink(processUrl(model, methodKey), provider.openAgain({ method: methodName }))}
${checkNow(locale, model, provider.unconfirmed({ method: methodName }))}
${otherWay(locale, model)}
</section>`
}

const REFRESH_SECONDS = 15
/**
 * Pause between two polls: a little more than between two checks of a payment, so that each poll is a check.
 */
const POLL_MS = 5200
/**
 * Pause between two polls for an invoice. It is paid within a second, and only its own wallet's server is
 * asked.
 */
const INVOICE_POLL_MS = 1100

/** True for parts during which the page polls the status of the payment. */
const isOpen = (part: Part): boolean => ['choose', 'crypto', 'redirect', 'lapsed'].includes(part.kind)

/** True if the page polls. A late payment can still pay an expired order. */
const polls = (part: Part): boolean => isOpen(part) || (part.kind === 'expired' && part.isWatched)

/** Explains why another payment is shown than before, so that nobody sends the amount of one to the other. */
const turned = ({ texts }: Locale, { turnedTo }: CheckoutModel): Html | false =>
  turnedTo !== null &&
  html`<p class="state warn" data-announce="${texts.crypto.turnedTo({ coin: turnedTo })}">
${texts.crypto.turnedTo({ coin: turnedTo })}</p>`

/** Parameters of the page's request for a newer version of itself. */
interface Refresh {
  /** query with which the page was opened */
  query: Record<string, string>
  /** language in the URL */
  language: string | null
  /** identifies the shown content, so that it is not sent again unchanged */
  fingerprint: string
}

function part(locale: Locale, model: CheckoutModel): Html {
  switch (model.part.kind) {
    case 'choose':
      return choosePart(locale, model, model.part)
    case 'crypto':
      return cryptoPart(locale, model, model.part)
    case 'lapsed':
      return lapsedPart(locale, model, model.part)
    case 'redirect':
      return redirectPart(locale, model, model.part)
    default:
      return endPart(locale, model, model.part)
  }
}

/** The part of the page that updates itself. */
export function checkoutPart(locale: Locale, model: CheckoutModel, { query, fingerprint }: Refresh): Html {
  const statusUrl = payAgainUrl(model, { ...query, lang: locale.tag, seen: fingerprint }, '/status')
  const notices = model.notices.map(notice => noticePart(locale, model, notice))
  const shown = part(locale, model)
  const everyMs = model.part.kind === 'crypto' && model.part.isInvoice ? INVOICE_POLL_MS : POLL_MS
  const polling = html` hx-get="${statusUrl}" hx-trigger="every ${everyMs}ms" hx-swap="outerMorph"`
  return html`<div id="checkout" class="columns" data-now="${model.now}" data-state="${model.part.kind}"
 data-title="${titleOf(locale, model)}"${polls(model.part) && polling}>
${orderSummary(locale, model)}
<div class="card">
${moneyLines(model)}
${model.blind.map(blind => blindNote(locale, blind))}
${turned(locale, model)}
${isOpen(model.part) ? [notices, shown] : [shown, notices]}
${!(model.part.kind === 'choose' && model.part.isFull) && otherPayments(locale, model)}
</div>
</div>`
}

const titleKeys = {
  choose: 'pay',
  crypto: 'pay',
  redirect: 'pay',
  lapsed: 'pay',
  paid: 'paid',
  expired: 'expired',
  cancelled: 'cancelled',
  failed: 'failed',
  blocked: 'blocked',
} as const satisfies Record<Part['kind'], string>

function titleOf(locale: Locale, { part, amount, merchantName }: CheckoutModel): string {
  const { titles } = locale.texts.page
  const isDetected =
    (part.kind === 'crypto' && part.state === 'confirming') || (part.kind === 'redirect' && part.isConfirming)
  const title = decidedTitle(locale, part) ?? titles[isDetected ? 'detected' : titleKeys[part.kind]]
  return `${title} – ${amount} – ${merchantName}`
}

/**
 * True if the page reloads without JavaScript. A choice without providers opens nothing in another tab, so
 * there is nothing to wait for.
 */
const refreshes = ({ part }: CheckoutModel): boolean =>
  isOpen(part) && (part.kind !== 'choose' || part.choices.methods.length > 0)

export const checkoutPage = (
  locale: Locale,
  model: CheckoutModel,
  refresh: Refresh,
  { assets, isSandbox }: Frame,
): string => {
  const sameQuery = { ...refresh.query, ...(refresh.language !== null && { lang: refresh.language }) }
  return layout({
    locale,
    url: payAgainUrl(model, refresh.query),
    title: titleOf(locale, model),
    assets,
    isSandbox,
    shop: model.shop,
    isWide: true,
    refresh: refreshes(model) ? { seconds: REFRESH_SECONDS, url: payAgainUrl(model, sameQuery) } : null,
    body: html`<p id="lost" class="state warn lost" role="alert" hidden>
<strong>${locale.texts.page.connectionLost}</strong> ${locale.texts.page.connectionLostMeaning}</p>
${checkoutPart(locale, model, refresh)}
${live(locale)}`,
  })
}
