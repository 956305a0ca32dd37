import { type Html, html } from '../html.ts'
import { type Assets, layout } from '../layout.ts'
import { footer } from '../parts.ts'
import { choosePart } from './choose.ts'
import { cryptoPart, lapsedPart } from './crypto.ts'
import { endPart } from './end.ts'
import { payUrl } from './links.ts'
import type { CheckoutModel, Part } from './model.ts'
import { redirectPart } from './redirect.ts'

const REFRESH_SECONDS = 15

/** While one of these is shown, the page asks by itself what has become of the payment. */
const isMoving = (part: Part): boolean => ['choose', 'crypto', 'redirect', 'lapsed'].includes(part.kind)

interface Asked {
  /** the query that the page was opened with, to ask for the same part again */
  query: string
  /** what the page shows now, so that the same is not sent twice */
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

const summary = (model: CheckoutModel): Html => html`<header class="summary">
<p class="merchant">${model.merchantName}</p>
<h1 class="amount">${model.amount}</h1>
${model.description && html`<p class="what">${model.description}</p>`}
<p class="reference">Order <span class="code">${model.reference}</span></p>
</header>`

/** The part of the page that changes by itself. */
export function checkoutPart(model: CheckoutModel, { query, fingerprint }: Asked): Html {
  const seen = `${query}${query ? '&' : ''}seen=${fingerprint}`
  const statusUrl = `${payUrl(model)}/status?${seen}`
  const polling = html` hx-get="${statusUrl}" hx-trigger="every 5s" hx-swap="outerMorph"`
  return html`<div id="checkout" class="card" data-now="${model.now}"${isMoving(model.part) && polling}>
${summary(model)}
${part(model)}
</div>`
}

const titles: Record<Part['kind'], string> = {
  choose: 'Pay',
  crypto: 'Pay',
  redirect: 'Pay',
  lapsed: 'Pay',
  paid: 'Paid',
  expired: 'Expired',
  cancelled: 'Cancelled',
  failed: 'Payment failed',
  blocked: 'Not possible',
}

export const checkoutPage = (
  model: CheckoutModel,
  asked: Asked,
  assets: Assets,
  notice: string | null,
): string =>
  layout({
    title: `${titles[model.part.kind]} – ${model.amount} – ${model.merchantName}`,
    assets,
    notice,
    refreshSeconds: isMoving(model.part) && model.part.kind !== 'choose' ? REFRESH_SECONDS : null,
    body: html`${checkoutPart(model, asked)}
<p id="live" class="unseen" role="status"></p>
${footer(model)}`,
  })
