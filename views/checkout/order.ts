import { type Html, html } from '../html.ts'
import { chevron } from '../icons/icons.ts'
import type { Locale } from '../locale.ts'
import { shopLine } from '../shop.ts'
import type { CheckoutModel } from './model.ts'

const MEDIUM_AMOUNT = 14
const LONG_AMOUNT = 19

const separator = '[,.’\\u00a0\\u202f]'
/** Matches after a separator that is followed by a group of digits, not by decimals. */
const groupEnd = new RegExp(`(?<=\\d${separator})(?=\\d{3}(?!\\d)|\\d{2}${separator}\\d)`)

/** Shows a long amount smaller, and breaks it only between groups of digits. */
function amountHeading(amount: string): Html {
  const size = amount.length > LONG_AMOUNT ? ' huge' : amount.length > MEDIUM_AMOUNT ? ' long' : ''
  const groups = amount.split(groupEnd).map((group, at) => html`${at > 0 && html`<wbr>`}${group}`)
  return html`<h1 class="amount${size}">${groups}</h1>`
}

const picture = (url: string): Html =>
  html`<img class="thumb" src="${url}" width="56" height="56" alt="" referrerpolicy="no-referrer">`

const item = ({ item, amount }: CheckoutModel): Html | null =>
  item &&
  html`<div class="item">${item.imageUrl && picture(item.imageUrl)}
<p><span class="what"><bdi>${item.name}</bdi></span>
${item.description && html`<span class="hint"><bdi>${item.description}</bdi></span>`}</p>
<p class="price-of">${amount}</p></div>`

const total = ({ texts: { page } }: Locale, { amount }: CheckoutModel): Html =>
  html`<p class="total"><span>${page.total}</span> <span>${amount}</span></p>`

const number = ({ texts: { page } }: Locale, { reference }: CheckoutModel): Html =>
  html`${page.order} <bdi class="code">${reference}</bdi>`

/** The tax that the amount contains. */
const taxLines = (sentences: readonly string[]): Html[] =>
  sentences.map(sentence => html`<p class="hint">${sentence}</p>`)

/** The item, amount and shop. Phones fold it into a line; wide screens show it beside the payment. */
export function orderSummary(locale: Locale, model: CheckoutModel): Html {
  const lines = model.item && html`${item(model)}${total(locale, model)}`
  const folded = lines
    ? html`<details class="fold"><summary>${number(locale, model)} ${chevron}</summary>${lines}</details>`
    : html`<p class="fold reference">${number(locale, model)}</p>`
  return html`<header class="order">
${shopLine(model.shop)}
${amountHeading(model.amount)}
${taxLines(model.tax)}
${folded}
<div class="unfolded">${lines}
<p class="reference">${number(locale, model)}</p></div>
</header>`
}
