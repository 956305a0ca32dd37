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

const summary = (model: CheckoutModel): Html => html`<header class="summary">
<p class="merchant">${model.merchantName}</p>
<h1 class="amount">${model.amount}</h1>
${model.description && html`<p class="what">${model.description}</p>`}
<p class="reference">Order <span class="code">${model.reference}</span></p>
</header>`

/** The part of the page that updates itself. */
export function checkoutPart(model: CheckoutModel, { query, fingerprint }: Refresh): Html {
  const seen = `${query}${query ? '&' : ''}seen=${fingerprint}`
  const statusUrl = `${payUrl(model)}/status?${seen}`
  const polling = html` hx-get="${statusUrl}" hx-trigger="every 5s" hx-swap="outerMorph"`
  return html`<div id="checkout" class="card" data-now="${model.now}"${isOpen(model.part) && polling}>
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
  blocked: 'Payment not possible',
}

export const checkoutPage = (
  model: CheckoutModel,
  refresh: Refresh,
  assets: Assets,
  notice: string | null,
): string =>
  layout({
    title: `${titles[model.part.kind]} – ${model.amount} – ${model.merchantName}`,
    assets,
    notice,
    refreshSeconds: isOpen(model.part) && model.part.kind !== 'choose' ? REFRESH_SECONDS : null,
    body: html`${checkoutPart(model, refresh)}
<p id="live" class="unseen" role="status"></p>
${footer(model)}`,
  })
