import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { checkNow, otherWay, payUrl } from './links.ts'
import type { CheckoutModel, LapsedPart } from './model.ts'

const tooLittle = ({ texts: { crypto } }: Locale, { received, amount, ticker }: LapsedPart): string =>
  crypto.lapsedShort(crypto.partOf(received ?? '', `${amount} ${ticker}`))

/** A late payment is still detected. After a partial payment, a new price is not the main action. */
export function lapsedPart(locale: Locale, model: CheckoutModel, part: LapsedPart): Html {
  const { crypto: texts } = locale.texts
  return html`<div class="state warn" data-announce="${texts.lapsed}">
<h2>${texts.lapsed}</h2>
<p>${part.received ? tooLittle(locale, part) : texts.maybePaid}</p>
<form method="post" action="${payUrl(model)}/crypto">
<button class="button${part.received && ' quiet'}" name="asset" value="${part.assetId}">
${texts.newPrice(part.assetName)}</button></form>
${checkNow(locale, model, texts.notCovered)}
${otherWay(locale, model)}
</div>`
}
