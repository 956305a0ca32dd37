import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { payUrl } from './links.ts'
import type { CheckoutModel, Notice, RefundModel } from './model.ts'

const saved = ({ texts: { notices } }: Locale, { network, saved: address }: RefundModel): Html =>
  html`<p>${notices.refundAddress({ network })}:
<span class="code" dir="ltr">${address}</span></p>
<p class="hint">${notices.wrongAddress}</p>`

function form(
  locale: Locale,
  model: CheckoutModel,
  attemptId: string,
  { network, problem }: RefundModel,
): Html {
  const { notices } = locale.texts
  const id = `refund-${attemptId}`
  const described = problem !== null && html` aria-invalid="true" aria-describedby="${id}-error"`
  const focused = problem?.isNew && html` autofocus`
  return html`<form method="post" action="${payUrl(model)}/refund-address">
<input type="hidden" name="attempt" value="${attemptId}">
<p class="entry"><label for="${id}">${notices.refundAddress({ network })}
<span class="hint">${notices.optional}</span></label>
<input class="field" id="${id}" name="address" autocomplete="off" spellcheck="false" dir="ltr"
 maxlength="256" required${described}${focused}></p>
${problem !== null && html`<p class="field-error" id="${id}-error">${problem.text}</p>`}
<button class="button quiet">${notices.saveAddress}</button>
</form>`
}

/** A notice about money: its text, the shop's contact, and a form for the refund address. */
export function noticePart(locale: Locale, model: CheckoutModel, notice: Notice): Html {
  const { notices } = locale.texts
  const { attemptId, title, texts, refund } = notice
  const { merchantName, shop } = model
  const contact = shop.supportUrl
    ? html`<a href="${shop.supportUrl}">${notices.contact({ shop: merchantName })}</a>`
    : html`${notices.contact({ shop: merchantName })}`
  return html`<section class="state warn">
<h2>${title}</h2>
${texts.map(text => html`<p>${text}</p>`)}
<p>${notices.notLost({ shop: merchantName })} ${notices.contactForRefund.html({ contact })}</p>
${refund && (refund.saved === null ? form(locale, model, attemptId, refund) : saved(locale, refund))}
</section>`
}
