import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { newTabLink } from '../parts.ts'
import { checkNow, otherWay, processUrl } from './links.ts'
import type { CheckoutModel, RedirectPart } from './model.ts'

const waiting = (
  { texts: { provider } }: Locale,
  method: string,
): Html => html`<h2 id="paying" class="unseen">
${provider.payWith({ method })}</h2>
<p class="wait" data-announce="${provider.waiting({ method })}"><span class="pulse" aria-hidden="true"></span>
${provider.waiting({ method })}</p>
<p class="hint">${provider.otherTab}</p>`

/** The provider's page is open in another tab, and this page waits for the result. */
export function redirectPart(locale: Locale, model: CheckoutModel, part: RedirectPart): Html {
  const { provider } = locale.texts
  const { methodKey, methodName } = part
  return html`<section aria-labelledby="paying">
${waiting(locale, methodName)}
${newTabLink(processUrl(model, methodKey), provider.openAgain({ method: methodName }))}
${checkNow(locale, model, provider.unconfirmed({ method: methodName }))}
${otherWay(locale, model)}
</section>`
}
