import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { payUrl, processUrl } from './links.ts'
import type { BlindModel, CheckoutModel, OtherPayment } from './model.ts'

/** Received and remaining amount, at the head of every page of an unpaid order. */
export const moneyLines = ({ money }: CheckoutModel): (Html | false)[] =>
  money === null ? [] : [box('money', money.lines), box('warn', money.missing)]

const box = (look: 'money' | 'warn', lines: string[]): Html | false =>
  lines.length > 0 &&
  html`<div class="state ${look}" data-announce="${lines.join(' ')}">
${lines.map(line => html`<p>${line}</p>`)}</div>`

/** Says which network or address cannot be read, since when, and that nothing is lost. */
export function blindNote(locale: Locale, blind: BlindModel): Html {
  const { money } = locale.texts
  const clock = locale.clock(blind.at)
  const time = html`<time datetime="${blind.at}" data-clock>${clock} UTC</time>`
  const [sentence, advice] = blind.isAddress
    ? [money.unreadAddress, money.unreadAddressAdvice]
    : [money.blind, money.blindAdvice]
  const announced = `${sentence({ network: blind.network, time: clock })} ${advice}`
  return html`<div class="state warn" data-announce="${announced}">
<p><strong>${sentence.html({ network: blind.network, time })}</strong></p>
<p>${advice}</p></div>`
}

function otherPayment(
  locale: Locale,
  model: CheckoutModel,
  { assetId, methodKey, name, received }: OtherPayment,
): Html {
  const { money } = locale.texts
  const label = money.continueWith({ name })
  const way =
    assetId === null
      ? html`<a href="${processUrl(model, methodKey)}" target="_blank" rel="noopener">${label}</a>`
      : html`<form method="post" action="${payUrl(model)}/crypto">
<button class="link" name="asset" value="${assetId}">${label}</button></form>`
  const part = received !== null && html` <span class="hint">${money.part({ received })}</span>`
  return html`<li>${way}${part}</li>`
}

/** Links back to the other open payments. */
export const otherPayments = (locale: Locale, model: CheckoutModel): Html | false =>
  model.others.length > 0 &&
  html`<section class="others"><h2>${locale.texts.money.others}</h2>
<ul>${model.others.map(other => otherPayment(locale, model, other))}</ul></section>`
