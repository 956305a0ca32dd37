import { type Html, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import type { CheckoutModel } from './model.ts'

export type LinkedOrder = Pick<CheckoutModel, 'orderId'>

export const payUrl = ({ orderId }: LinkedOrder): string => `/pay/${orderId}`

/** URL of this page that contains the ID of the payment that the page showed first. */
export function payAgainUrl(model: CheckoutModel, query: Record<string, string>, path = ''): string {
  let text = ''
  // URLSearchParams takes several times as long, and a page has eight of these links.
  for (const name in query) text += `&${name}=${encodeURIComponent((query[name] ?? '').toWellFormed())}`
  if (model.shownFirst !== null) text += `&first=${encodeURIComponent(model.shownFirst.toWellFormed())}`
  return payUrl(model) + path + text.replace('&', '?')
}

export const processUrl = ({ orderId }: LinkedOrder, methodKey: string): string =>
  `/payment/process/${orderId}?method=${methodKey}`

/** Link to the choice of methods, which stays open until another payment is started. */
export const otherWay = ({ texts }: Locale, model: CheckoutModel): Html | false =>
  model.canChoose &&
  html`<p class="other">
<a href="${payUrl(model)}?choose=${model.attempts}">${texts.page.payAnotherWay}</a></p>`

/** "Checked at 21:04:12", with the result of the check. */
function checked(locale: Locale, at: string, found: string): Html {
  const { page } = locale.texts
  const clock = locale.clock(at)
  const time = html`<time datetime="${at}" data-clock>${clock} UTC</time>`
  return html`<p class="hint checked" data-announce="${page.checkedAt({ time: clock })} ${found}">
${page.checkedAt.html({ time })} ${found}</p>`
}

/** Says that the check waits for its turn, since very many checks were asked for at once. */
const checkedLater = ({ texts: { page } }: Locale): Html =>
  html`<p class="hint checked" data-announce="${page.checkedLater}">${page.checkedLater}</p>`

/** The button that checks for a payment now. `found` is the result of the last check. */
export function checkNow(locale: Locale, model: CheckoutModel, found: string): Html {
  const url = payAgainUrl(model, {}, '/check')
  return html`<form method="post" action="${url}"
 hx-post="${payAgainUrl(model, { lang: locale.tag }, '/check')}"
 hx-target="#checkout" hx-swap="outerMorph">
<button class="button quiet">${locale.texts.page.checkNow}</button></form>
${model.checkedAt && checked(locale, model.checkedAt, found)}
${model.isCheckedLater && checkedLater(locale)}`
}
