import { type Html, html } from '../html.ts'
import { type Frame, layout } from '../layout.ts'
import type { Locale } from '../locale.ts'
import { buttonLink } from '../parts.ts'
import { type ShopModel, shopLine } from '../shop.ts'

/** The page of a test order, already formatted. */
export interface TestOrderModel {
  orderId: string
  shop: ShopModel
  reference: string
  item: string | null
  amount: string
  state: 'open' | 'partPaid' | 'confirming' | 'paid' | 'refunded' | 'expired' | 'cancelled' | 'failed'
  /** the amounts so far; null if nothing, or all of it, has been paid */
  received: { received: string; total: string; left: string } | null
  /** outcomes that can be chosen now, with the key of each name; the first one is suggested */
  outcomes: readonly { outcome: string; name: keyof Locale['texts']['test']['outcomes'] }[]
  returnUrl: string | null
}

const stateOf = ({ texts: { end, test } }: Locale, { state }: TestOrderModel): string => {
  switch (state) {
    case 'open':
    case 'partPaid':
    case 'confirming':
      return test[state]
    case 'refunded':
      return end.refundedTitle
    default:
      return end[state]
  }
}

const choices = ({ texts: { test } }: Locale, { orderId, outcomes }: TestOrderModel): Html =>
  html`<form method="post" action="/pay/${orderId}/test" aria-labelledby="choose">
<h2 id="choose">${test.choose}</h2>
${outcomes.map(
  ({ outcome, name }, at) =>
    html`<p class="open"><button name="outcome" value="${outcome}" class="button${
      at > 0 && ' quiet'
    }">${test.outcomes[name]}</button></p>`,
)}
</form>`

/** The page on which a test order is paid. It says that nothing is charged, and offers no real method. */
export const testOrderPage = (
  locale: Locale,
  model: TestOrderModel,
  { assets, isSandbox }: Frame,
): string => {
  const { money, page, test } = locale.texts
  const { shop, amount, received, outcomes, returnUrl } = model
  const state = stateOf(locale, model)
  const isGood = model.state === 'paid' || model.state === 'refunded'
  return layout({
    locale,
    url: `/pay/${model.orderId}/test`,
    title: `${test.title} – ${amount} – ${shop.name}`,
    assets,
    isSandbox,
    notice: test.notice,
    shop,
    body: html`<article class="card">
<header>${shopLine(shop)}
<h1 class="amount">${amount}</h1>
${model.item && html`<p class="what"><bdi>${model.item}</bdi></p>`}
<p class="reference">${page.order} <bdi class="code">${model.reference}</bdi></p></header>
<p class="state ${isGood ? 'good' : 'warn'}" data-announce="${state}"><strong>${state}</strong></p>
${received && html`<p>${money.received(received)}</p>`}
<p>${test.what({ shop: shop.name })}</p>
${outcomes.length > 0 ? choices(locale, model) : html`<p>${test.over}</p>`}
${returnUrl && buttonLink(returnUrl, page.backToShop({ shop: shop.name }), true)}
</article>`,
  })
}
