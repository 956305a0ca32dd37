import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import type { BlindModel } from './model.ts'

/** Says that the network cannot be read, since when, and that nothing is lost. False while it can be read. */
export function blindNote(locale: Locale, blind: BlindModel | null): Html | false {
  if (blind === null) return false
  const { money } = locale.texts
  const clock = locale.clock(blind.at)
  const time = html`<time datetime="${blind.at}" data-clock>${clock} UTC</time>`
  const announced = `${money.blind({ network: blind.network, time: clock })} ${money.blindAdvice}`
  return html`<div class="state warn" data-announce="${announced}">
<p><strong>${money.blind.html({ network: blind.network, time })}</strong></p>
<p>${money.blindAdvice}</p></div>`
}
