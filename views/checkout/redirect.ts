import { type Html, html } from '../html.ts'
import { newTabLink } from '../parts.ts'
import { checkNow, otherWay, processUrl } from './links.ts'
import type { CheckoutModel, RedirectPart } from './model.ts'

const underpaid = (name: string): Html => html`<div class="state warn" data-announce="Payment incomplete">
<h2 id="paying">Payment incomplete</h2>
<p>The amount received through ${name} doesn’t cover this order. Your payment is safe and the shop has
been notified. Please contact the shop.</p></div>`

const waiting = (name: string): Html => html`<h2 id="paying" class="unseen">Pay with ${name}</h2>
<p class="wait" data-announce="Waiting for ${name}"><span class="pulse" aria-hidden="true"></span>
Waiting for ${name}</p>
<p class="hint">Finish your payment in the other tab. This page updates automatically a few minutes after
you pay. You can close this page; your order will still be marked as paid.</p>`

/** The provider's page is open in another tab, and this page waits for the result. */
export const redirectPart = (
  model: CheckoutModel,
  part: RedirectPart,
): Html => html`<section aria-labelledby="paying">
${part.state === 'underpaid' ? underpaid(part.methodName) : waiting(part.methodName)}
${newTabLink(processUrl(model, part.methodKey), `Open ${part.methodName} again`, part.state === 'underpaid')}
${checkNow(model, `${part.methodName} hasn’t confirmed the payment yet.`)}
${otherWay(model)}
</section>`
