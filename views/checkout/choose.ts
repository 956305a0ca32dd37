import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { buttonLink, newTabLink, time } from '../parts.ts'
import { fill } from '../texts/fill.ts'
import { payUrl, processUrl } from './links.ts'
import type { CheckoutModel, ChoosePart, CoinChoice } from './model.ts'

type Method = ChoosePart['methods'][number]
type Network = CoinChoice['networks'][number]

const method = ({ texts }: Locale, model: CheckoutModel, { key, name, note }: Method): Html =>
  html`<li><a class="method" href="${processUrl(model, key)}" target="_blank" rel="noopener nofollow">
<span class="name">${name}</span>
<span class="note">${note} <span class="arrow" aria-hidden="true">↗</span>
<span class="unseen">${texts.page.opensInNewTab}</span></span>
</a></li>`

const methods = (
  locale: Locale,
  model: CheckoutModel,
  part: ChoosePart,
): Html => html`<section aria-labelledby="by-provider">
<h2 id="by-provider">${locale.texts.choose.byProvider}</h2>
<ul class="methods">
${part.methods.map(offered => method(locale, model, offered))}
</ul>
</section>`

/** The only method that there is: the buyer has chosen already. */
const only = (
  { texts: { choose: texts } }: Locale,
  model: CheckoutModel,
  { key, name, note }: Method,
): Html => html`<section aria-labelledby="only">
<h2 id="only">${texts.payWith(name)}</h2>
${note && html`<p class="hint">${note}</p>`}
${newTabLink(processUrl(model, key), texts.continueTo(name))}
<p class="hint">${texts.keepPageOpen(name)}</p>
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
<span class="name">${name}</span>
<span class="note"><bdi dir="ltr">${amount} ${ticker}</bdi></span></button></li>`

/** A coin on one network is a button; a coin on several networks opens to show them. */
function coin({ texts }: Locale, { ticker, networks }: CoinChoice): Html {
  const buttons = networks.map(network => coinButton(network, ticker))
  if (buttons.length === 1) return html`${buttons}`
  return html`<li><details class="coin"><summary class="method"><span class="name">${ticker}</span>
<span class="note">${texts.choose.networks(networks.length)}</span></summary>
<ul class="methods">${buttons}</ul>
</details></li>`
}

const crypto = (
  locale: Locale,
  model: CheckoutModel,
  part: ChoosePart,
): Html => html`<section aria-labelledby="by-crypto">
<h2 id="by-crypto">${locale.texts.choose.crypto}</h2>
<form method="post" action="${payUrl(model)}/crypto">
<ul class="methods">
${part.coins.map(choice => coin(locale, choice))}
</ul>
</form>
</section>`

function nothing(locale: Locale, model: CheckoutModel, part: ChoosePart): Html {
  const { choose, page } = locale.texts
  return html`<div class="state" data-announce="${choose.noMethod}">
<h2>${choose.nothing}</h2>
<p>${part.providerAway ? choose.providerAway : choose.noneForAmount}
${fill(choose.openUntil, time(locale, model.expiresAt))}</p>
${buttonLink(payUrl(model), page.tryAgain)}
</div>`
}

const away = ({ choose }: Locale['texts']): Html =>
  html`<p class="hint">${choose.cardsAway} ${choose.tryInMinutes}</p>`

/** The choice of payment methods. */
export function choosePart(locale: Locale, model: CheckoutModel, part: ChoosePart): Html {
  const { choose: texts } = locale.texts
  if (part.methods.length + part.coins.length === 0) return nothing(locale, model, part)
  const back = html`<p class="back"><a href="${payUrl(model)}">${texts.back}</a></p>`
  const [first] = part.methods
  const isOnly = first && part.methods.length === 1 && part.coins.length === 0
  return html`<div data-announce="${part.failure?.title ?? texts.title}">
${part.failure && failed(part.failure)}
${part.canGoBack && back}
${isOnly ? only(locale, model, first) : part.methods.length > 0 && methods(locale, model, part)}
${part.providerAway && away(locale.texts)}
${part.coins.length > 0 && crypto(locale, model, part)}
</div>`
}
