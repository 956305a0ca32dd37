import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { askElsewhere } from './elsewhere.ts'
import { checkNow, otherWay, payUrl } from './links.ts'
import type { CheckoutModel, LapsedPart } from './model.ts'

/** A late payment is still detected. After a part payment, a new price is for the rest. */
export function lapsedPart(locale: Locale, model: CheckoutModel, part: LapsedPart): Html {
  const { crypto: texts } = locale.texts
  return html`<div class="state warn" data-announce="${texts.lapsed}">
<h2>${texts.lapsed}</h2>
<p>${texts.maybePaid}</p>
<form method="post" action="${payUrl(model)}/crypto">
<button class="button" name="asset" value="${part.assetId}">
${texts.newPrice(part.assetName)}</button></form>
${checkNow(locale, model, texts.notCovered)}
${askElsewhere(locale, model)}
${otherWay(locale, model)}
</div>`
}
