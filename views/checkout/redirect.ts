import { type Html, html } from '../html.ts'
import { newTabLink } from '../parts.ts'
import { checkNow, otherWay, processUrl } from './links.ts'
import type { CheckoutModel, RedirectPart } from './model.ts'

const underpaid = (name: string): Html => html`<div class="state warn" data-announce="Payment incomplete">
<h2 id="paying">Payment incomplete</h2>
<p>The amount received through ${name} doesn’t cover this order. Please contact the shop before you
pay again.</p></div>`

const waiting = (name: string): Html => html`<h2 id="paying" class="unseen">Pay with ${name}</h2>
<p class="wait" data-announce="Waiting for ${name}"><span class="pulse" aria-hidden="true"></span>
Waiting for ${name}</p>
<p class="hint">Finish your payment in the other tab. This page updates automatically a few minutes after
you pay. Once you have paid, you can close this page; your order will still be marked as paid.</p>`

const reopen = (model: CheckoutModel, { methodKey, methodName }: RedirectPart): Html =>
  newTabLink(processUrl(model, methodKey), `Open ${methodName} again`)

const foundBy: Record<RedirectPart['state'], (name: string) => string> = {
  waiting: name => `${name} hasn’t confirmed the payment yet.`,
  underpaid: () => 'Nothing more has arrived.',
}

/** The provider's page is open in another tab, and this page waits for the result. */
export const redirectPart = (
  model: CheckoutModel,
  part: RedirectPart,
): Html => html`<section aria-labelledby="paying">
${part.state === 'underpaid' ? underpaid(part.methodName) : waiting(part.methodName)}
${part.state === 'waiting' && reopen(model, part)}
${checkNow(model, foundBy[part.state](part.methodName))}
${otherWay(model)}
</section>`
