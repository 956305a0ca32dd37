import { type Html, html } from '../html.ts'
import type { CheckoutModel } from './model.ts'

export const payUrl = ({ orderId }: CheckoutModel): string => `/pay/${orderId}`

export const processUrl = ({ orderId }: CheckoutModel, methodKey: string): string =>
  `/payment/process/${orderId}?method=${methodKey}`

/** The choice stays open until another payment is started. */
export const otherWay = (model: CheckoutModel): Html =>
  html`<p class="other"><a href="${payUrl(model)}?choose=${model.attempts}">Pay another way</a></p>`

/** "Checked at 21:04:12", with what the check found. */
const checked = (at: string, found: string): Html =>
  html`<p class="hint checked" data-announce="Checked at ${at.slice(11, 19)}. ${found}">Checked at
<time datetime="${at}" data-clock>${at.slice(11, 19)} UTC</time>. ${found}</p>`

/** The button that checks for a payment now. `found` says what the last check found. */
export const checkNow = (model: CheckoutModel, found: string): Html => {
  const url = `${payUrl(model)}/check`
  return html`<form method="post" action="${url}" hx-post="${url}" hx-target="#checkout" hx-swap="outerMorph">
<button class="button quiet">Check now</button></form>
${model.checkedAt && checked(model.checkedAt, found)}`
}
