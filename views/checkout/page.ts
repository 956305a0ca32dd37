import { type Html, html } from '../html.ts'
import { type Assets, layout } from '../layout.ts'
import { footer } from '../parts.ts'
import { choosePart } from './choose.ts'
import { cryptoPart, lapsedPart } from './crypto.ts'
import { endPart } from './end.ts'
import { payUrl } from './links.ts'
import type { CheckoutModel, Part } from './model.ts'
import { noticePart } from './notice.ts'
import { redirectPart } from './redirect.ts'

const REFRESH_SECONDS = 15
/** A little more than the pause between two checks of a payment, so that each request is a check. */
const POLL_MS = 5200

/** While one of these parts is shown, the page keeps asking for the status of the payment. */
const isOpen = (part: Part): boolean => ['choose', 'crypto', 'redirect', 'lapsed'].includes(part.kind)

/** What the page sends to ask for a newer version of itself. */
interface Refresh {
  /** the query that the page was opened with */
  query: string
  /** identifies what the page shows now, so that the same content is not sent again */
  fingerprint: string
}

function part(model: CheckoutModel): Html {
  switch (model.part.kind) {
    case 'choose':
      return choosePart(model, model.part)
    case 'crypto':
      return cryptoPart(model, model.part)
    case 'lapsed':
      return lapsedPart(model, model.part)
    case 'redirect':
      return redirectPart(model, model.part)
    default:
      return endPart(model, model.part)
  }
}

const MEDIUM_AMOUNT = 14
const LONG_AMOUNT = 19

/** A long amount gets smaller, and may only break between groups of digits. */
function amountHeading(amount: string): Html {
  const size = amount.length > LONG_AMOUNT ? ' huge' : amount.length > MEDIUM_AMOUNT ? ' long' : ''
  const groups = amount.split(/(?<=,)/).map((group, at) => html`${at > 0 && html`<wbr>`}${group}`)
  return html`<h1 class="amount${size}">${groups}</h1>`
}

const summary = (model: CheckoutModel): Html => html`<header class="summary">
<p class="merchant">${model.merchantName}</p>
${amountHeading(model.amount)}
${model.description && html`<p class="what">${model.description}</p>`}
<p class="reference">Order <span class="code">${model.reference}</span></p>
</header>`

/** The part of the page that updates itself. */
export function checkoutPart(model: CheckoutModel, { query, fingerprint }: Refresh): Html {
  const seen = `${query}${query ? '&' : ''}seen=${fingerprint}`
  const statusUrl = `${payUrl(model)}/status?${seen}`
  const polling = html` hx-get="${statusUrl}" hx-trigger="every ${POLL_MS}ms" hx-swap="outerMorph"`
  return html`<div id="checkout" class="card" data-now="${model.now}"
 data-title="${titleOf(model)}"${isOpen(model.part) && polling}>
${summary(model)}
${part(model)}
${model.notices.map(notice => noticePart(model, notice))}
</div>`
}

const titles: Record<Part['kind'], string> = {
  choose: 'Pay',
  crypto: 'Pay',
  redirect: 'Pay',
  lapsed: 'Pay',
  paid: '✓ Paid',
  expired: 'Expired',
  cancelled: 'Cancelled',
  failed: 'Payment failed',
  blocked: 'Payment not possible',
}

function titleOf({ part: { kind, ...part }, amount, merchantName }: CheckoutModel): string {
  const isDetected = 'state' in part && part.state === 'confirming'
  return `${isDetected ? 'Payment detected' : titles[kind]} – ${amount} – ${merchantName}`
}

/** A choice without providers opens nothing in another tab, so there is nothing to wait for. */
const refreshes = ({ part }: CheckoutModel): boolean =>
  isOpen(part) && (part.kind !== 'choose' || part.methods.length > 0)

export const checkoutPage = (
  model: CheckoutModel,
  refresh: Refresh,
  assets: Assets,
  notice: string | null,
): string =>
  layout({
    title: titleOf(model),
    assets,
    notice,
    refreshSeconds: refreshes(model) ? REFRESH_SECONDS : null,
    body: html`<p id="lost" class="state warn lost" role="alert" hidden><strong>Connection lost.</strong>
Trying again. A payment that you have sent is not affected.</p>
${checkoutPart(model, refresh)}
<p id="live" class="unseen" role="status"></p>
${footer(model)}`,
  })
