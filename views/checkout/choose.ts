import { type Html, html } from '../html.ts'
import type { CheckoutModel, ChoosePart } from './model.ts'

const methods = (model: CheckoutModel, part: ChoosePart): Html => html`<section aria-labelledby="by-provider">
<h2 id="by-provider">Card, bank or wallet</h2>
<ul class="methods">
${part.methods.map(
  ({ key, name, note }) => html`<li><a class="method" href="/payment/process/${model.orderId}?method=${key}"
 target="_blank" rel="noopener nofollow"><span class="name">${name}</span>
<span class="note">${note ?? 'Opens in a new tab'}</span></a></li>`,
)}
</ul>
</section>`

const assets = (model: CheckoutModel, part: ChoosePart): Html => html`<section aria-labelledby="by-crypto">
<h2 id="by-crypto">Crypto</h2>
<form method="post" action="/pay/${model.orderId}/crypto">
<ul class="methods">
${part.assets.map(
  ({ id, name, ticker, amount }) => html`<li><button class="method" name="asset" value="${id}">
<span class="name">${name}</span> <span class="note">${amount} ${ticker}</span></button></li>`,
)}
</ul>
</form>
</section>`

const nothing = (
  model: CheckoutModel,
  part: ChoosePart,
): Html => html`<div class="state" data-announce="No method">
<h2>No payment method is available right now</h2>
<p>${
  part.providerAway
    ? 'The payment provider does not answer. Please try again in a few minutes.'
    : 'The shop offers no method that takes this amount at the moment.'
} Your order is kept until <time datetime="${model.expiresAt}">${model.expiresAt.slice(0, 16).replace('T', ' ')} UTC</time>.</p>
<a class="button" href="/pay/${model.orderId}">Try again</a>
</div>`

/** The choice between everything that is offered now. */
export function choosePart(model: CheckoutModel, part: ChoosePart): Html {
  if (part.methods.length + part.assets.length === 0) return nothing(model, part)
  return html`<div data-announce="Choose how to pay">
${part.canGoBack && html`<p class="back"><a href="/pay/${model.orderId}">Back to the payment that you began</a></p>`}
${part.methods.length > 0 && methods(model, part)}
${
  part.providerAway &&
  html`<p class="hint">Cards, banks and wallets cannot be reached right now. They will be back shortly.</p>`
}
${part.assets.length > 0 && assets(model, part)}
</div>`
}
