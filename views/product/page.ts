import { type Html, html } from '../html.ts'
import { type Frame, layout } from '../layout.ts'
import type { Locale } from '../locale.ts'
import { buttonLink, footer } from '../parts.ts'
import { productForm } from './form.ts'
import type { ProductModel } from './model.ts'

const image = ({ image: shown, name }: ProductModel): Html | null =>
  shown &&
  html`<figure class="picture"><img src="${shown.url}" alt="${name}" width="${shown.width}"
height="${shown.width}" referrerpolicy="no-referrer"></figure>`

const nothing = ({ texts: { choose, page } }: Locale, model: ProductModel): Html => html`<div class="state">
<h2>${choose.nothing}</h2>
<p>${model.providerAway ? choose.providerAway : choose.noneForAmount}</p>
${buttonLink(`/checkout/${model.productId}`, page.tryAgain)}
</div>`

const refused = ({ refusal }: ProductModel): Html | null =>
  refusal === null ? null : html`<div class="state warn" role="alert"><p>${refusal}</p></div>`

const hasErrors = ({ texts }: Locale, { errors }: ProductModel): Html | false =>
  Object.keys(errors).length > 0 &&
  html`<div class="state warn" role="alert"><p>${texts.product.fixFields}</p></div>`

/** The public page of a product, with its order form. */
export const productPage = (locale: Locale, model: ProductModel, { assets, isSandbox }: Frame): string =>
  layout({
    locale,
    urlIn: tag => `/checkout/${model.productId}?lang=${tag}`,
    title: `${model.name} – ${model.merchantName}`,
    assets,
    isSandbox,
    body: html`<div class="card">
<header class="summary">
${image(model)}
<p class="merchant" dir="auto">${model.merchantName}</p>
<h1 class="product" dir="auto">${model.name}</h1>
<p class="amount">${model.price}</p>
${model.description && html`<p class="what" dir="auto">${model.description}</p>`}
</header>
${refused(model)}
${hasErrors(locale, model)}
${model.methods.length > 0 ? productForm(locale, model) : nothing(locale, model)}
</div>
${footer(locale, model)}`,
  })
