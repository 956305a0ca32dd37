import { type Html, html } from '../html.ts'
import { payUrl } from './links.ts'
import type { CheckoutModel, Notice } from './model.ts'

type Refund = NonNullable<Notice['refund']>

const saved = ({ network, saved: address }: Refund): Html => html`<p>Refund address on ${network}:
<span class="code">${address}</span></p>
<p class="hint">If it is wrong, contact the shop.</p>`

function form(model: CheckoutModel, attemptId: string, { network, problem }: Refund): Html {
  const id = `refund-${attemptId}`
  const described = problem !== null && html` aria-invalid="true" aria-describedby="${id}-error"`
  return html`<form method="post" action="${payUrl(model)}/refund-address">
<input type="hidden" name="attempt" value="${attemptId}">
<p class="entry"><label for="${id}">Refund address on ${network}
<span class="hint">(optional)</span></label>
<input class="field" id="${id}" name="address" autocomplete="off" spellcheck="false"
 maxlength="256" required${described}></p>
${problem !== null && html`<p class="field-error" id="${id}-error">${problem}</p>`}
<button class="button quiet">Save refund address</button>
</form>`
}

/** What arrived, that the shop knows of it, whom to ask, and where a refund can go. */
export function noticePart(model: CheckoutModel, { attemptId, title, texts, refund }: Notice): Html {
  const { merchantName, supportEmail } = model
  const contact = supportEmail
    ? html`<a href="mailto:${supportEmail}">Contact ${merchantName}</a>`
    : html`Contact ${merchantName}`
  return html`<section class="state warn">
<h2>${title}</h2>
${texts.map(text => html`<p>${text}</p>`)}
<p>Your money isn’t lost: ${merchantName} has been notified. ${contact} for a refund, or if you have
questions.</p>
${refund && (refund.saved === null ? form(model, attemptId, refund) : saved(refund))}
</section>`
}
