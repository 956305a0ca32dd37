import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { blindNote } from './blind.ts'
import { askElsewhere } from './elsewhere.ts'
import { checkNow, otherWay, payUrl } from './links.ts'
import type { CheckoutModel, LapsedPart } from './model.ts'

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
  return html`${blindNote(locale, part.blind)}
<div class="state warn" data-announce="${texts.lapsed}">
<h2>${texts.lapsed}</h2>
${part.blind === null && newPrice}
${checkNow(locale, model, texts.notCovered)}
${askElsewhere(locale, model)}
${otherWay(locale, model)}
</div>`
}
