import { type Html, html } from '../html.ts'
import { newTabLink } from '../parts.ts'
import { checkNow, otherWay, processUrl } from './links.ts'
import type { CheckoutModel, RedirectPart } from './model.ts'

const underpaid = (
  name: string,
): Html => html`<div class="state warn" data-announce="The payment was too little">
<h2 id="paying">The payment was too little</h2>
<p>What ${name} sent does not cover the order. Nothing is lost: the shop sees it.
Please ask the shop.</p></div>`

const waiting = (name: string): Html => html`<h2 id="paying" class="unseen">Pay at ${name}</h2>
<p class="wait" data-announce="Waiting for ${name}"><span class="pulse" aria-hidden="true"></span>
Waiting for ${name}</p>
<p class="hint">Finish on the page that opened in the other tab. This one turns to paid by itself,
some minutes after your payment. You may close it: the order is paid without it.</p>`

/** A provider's page is open elsewhere; this one waits for its word. */
export const redirectPart = (
  model: CheckoutModel,
  part: RedirectPart,
): Html => html`<section aria-labelledby="paying">
${part.state === 'underpaid' ? underpaid(part.methodName) : waiting(part.methodName)}
${newTabLink(processUrl(model, part.methodKey), `Open ${part.methodName} again`)}
${checkNow(model)}
${otherWay(model)}
</section>`
