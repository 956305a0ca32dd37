import { type Html, html } from '../html.ts'
import type { CheckoutModel, RedirectPart } from './model.ts'

/** A provider's page is open elsewhere; this one waits for its word. */
export const redirectPart = (
  model: CheckoutModel,
  part: RedirectPart,
): Html => html`<section aria-labelledby="paying">
${
  part.state === 'underpaid'
    ? html`<div class="state warn" data-announce="The payment was too little"><h2 id="paying">The payment was too little</h2>
<p>What ${part.methodName} sent does not cover the order. Nothing is lost: the shop sees it. Please ask the shop.</p></div>`
    : html`<h2 id="paying">Finish at ${part.methodName}</h2>
<p class="wait" data-announce="Waiting for ${part.methodName}"><span class="pulse" aria-hidden="true"></span>
Waiting for word from ${part.methodName}</p>
<p class="hint">Pay on the page that opened in the other tab. This one shows when the payment has arrived, which can take
some minutes. You may close it: the order is paid without it.</p>`
}
<p class="open"><a class="button" href="/payment/process/${model.orderId}?method=${part.methodKey}" target="_blank"
 rel="noopener nofollow">Open ${part.methodName} again</a></p>
<form method="post" action="/pay/${model.orderId}/check"><button class="button quiet">Check now</button></form>
<p class="other"><a href="/pay/${model.orderId}?choose=${model.attempts}">Pay another way</a></p>
</section>`
