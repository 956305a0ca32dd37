import { type Html, html } from '../html.ts'
import { buttonLink, newTabLink, time } from '../parts.ts'
import { payUrl, processUrl } from './links.ts'
import type { CheckoutModel, ChoosePart, CoinChoice } from './model.ts'

type Method = ChoosePart['methods'][number]
type Network = CoinChoice['networks'][number]

const method = (model: CheckoutModel, { key, name, note }: Method): Html =>
  html`<li><a class="method" href="${processUrl(model, key)}" target="_blank" rel="noopener nofollow">
<span class="name">${name}</span>
<span class="note">${note} <span aria-hidden="true">↗</span>
<span class="unseen">opens in a new tab</span></span>
</a></li>`

const methods = (model: CheckoutModel, part: ChoosePart): Html => html`<section aria-labelledby="by-provider">
<h2 id="by-provider">Card, bank transfer or digital wallet</h2>
<ul class="methods">
${part.methods.map(offered => method(model, offered))}
</ul>
</section>`

/** The only method that there is: the buyer has chosen already. */
const only = (
  model: CheckoutModel,
  { key, name, note }: Method,
): Html => html`<section aria-labelledby="only">
<h2 id="only">Pay with ${name}</h2>
${note && html`<p class="hint">${note}</p>`}
${newTabLink(processUrl(model, key), `Continue to ${name}`)}
<p class="hint">${name} opens in a new tab. Keep this page open: it shows when your payment has arrived.</p>
</section>`

const failed = ({
  title,
  text,
}: NonNullable<ChoosePart['failure']>): Html => html`<div class="state warn failure">
<h2>${title}</h2>
<p>${text}</p>
</div>`

const coinButton = ({ assetId, amount, name }: Network, ticker: string): Html =>
  html`<li><button class="method" name="asset" value="${assetId}">
<span class="name">${name}</span> <span class="note">${amount} ${ticker}</span></button></li>`

/** A coin on one network is a button; a coin on several networks opens to show them. */
function coin({ ticker, networks }: CoinChoice): Html {
  const buttons = networks.map(network => coinButton(network, ticker))
  if (buttons.length === 1) return html`${buttons}`
  return html`<li><details class="coin"><summary class="method"><span class="name">${ticker}</span>
<span class="note">${networks.length} networks</span></summary>
<ul class="methods">${buttons}</ul>
</details></li>`
}

const crypto = (model: CheckoutModel, part: ChoosePart): Html => html`<section aria-labelledby="by-crypto">
<h2 id="by-crypto">Crypto</h2>
<form method="post" action="${payUrl(model)}/crypto">
<ul class="methods">
${part.coins.map(coin)}
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
    ? 'The payment provider isn’t responding. Please try again in a few minutes.'
    : 'None of the shop’s payment methods is available for this amount.'
} This order stays open until ${time(model.expiresAt)}.</p>
${buttonLink(payUrl(model), 'Try again')}
</div>`

const away = html`<p class="hint">Card, bank and digital wallet payments aren’t available right
now. Please try again in a few minutes.</p>`

/** The choice of payment methods. */
export function choosePart(model: CheckoutModel, part: ChoosePart): Html {
  if (part.methods.length + part.coins.length === 0) return nothing(model, part)
  const back = html`<p class="back"><a href="${payUrl(model)}">Back to the payment you started</a></p>`
  const [first] = part.methods
  const isOnly = first && part.methods.length === 1 && part.coins.length === 0
  return html`<div data-announce="${part.failure?.title ?? 'Choose how to pay'}">
${part.failure && failed(part.failure)}
${part.canGoBack && back}
${isOnly ? only(model, first) : part.methods.length > 0 && methods(model, part)}
${part.providerAway && away}
${part.coins.length > 0 && crypto(model, part)}
</div>`
}
