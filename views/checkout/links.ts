import { type Html, html } from '../html.ts'
import type { CheckoutModel } from './model.ts'

export const payUrl = ({ orderId }: CheckoutModel): string => `/pay/${orderId}`

export const processUrl = ({ orderId }: CheckoutModel, methodKey: string): string =>
  `/payment/process/${orderId}?method=${methodKey}`

/** The choice stays open until another payment is started. */
export const otherWay = (model: CheckoutModel): Html =>
  html`<p class="other"><a href="${payUrl(model)}?choose=${model.attempts}">Pay another way</a></p>`

export const checkNow = (model: CheckoutModel): Html =>
  html`<form method="post" action="${payUrl(model)}/check">
<button class="button quiet">Check now</button></form>`
