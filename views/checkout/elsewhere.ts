import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { payAgainUrl } from './links.ts'
import type { CheckoutModel, ElsewhereModel } from './model.ts'

/** Results of looks at networks other than the one that the buyer was asked to use. */
function answers(locale: Locale, elsewhere: ElsewhereModel): Html[] {
  const { texts } = locale
  const { crypto } = texts
  const { looking, found, read, readAt, unreachable } = elsewhere
  const shown: Html[] = []
  if (looking !== null) shown.push(html`${crypto.elsewhere.looking({ networks: looking })}`)
  for (const coins of found) shown.push(html`<strong>${crypto.elsewhere.found({ coins })}</strong>`)
  if (found.length === 0 && read !== null && readAt !== null) {
    const time = html`<time datetime="${readAt}" data-clock>${locale.clock(readAt)} UTC</time>`
    shown.push(crypto.elsewhere.nothing.html({ networks: html`${read}`, time }))
  }
  if (unreachable !== null) shown.push(html`${crypto.elsewhere.unreachable({ networks: unreachable })}`)
  return shown
}

/** The form that asks for a look at the other networks of the address; null if there are none. */
export function askElsewhere(locale: Locale, model: CheckoutModel): Html | null {
  const { elsewhere } = model
  if (elsewhere === null) return null
  const { ask } = locale.texts.crypto.elsewhere
  return html`<form method="post" action="${payAgainUrl(model, {}, '/check')}" class="elsewhere"
 hx-post="${payAgainUrl(model, { lang: locale.tag }, '/check')}"
 hx-target="#checkout" hx-swap="outerMorph">
<input type="hidden" name="elsewhere" value="1">
<button class="button quiet">${ask}</button></form>
${answers(locale, elsewhere).map(answer => html`<p class="hint checked">${answer}</p>`)}`
}
