import { type Html, html } from '../html.ts'
import { type Assets, layout } from '../layout.ts'
import { buttonLink, footer } from '../parts.ts'
import { productForm } from './form.ts'
import type { ProductModel } from './model.ts'

const image = ({ image: shown, name }: ProductModel): Html | null =>
  shown &&
  html`<figure class="picture"><img src="${shown.url}" alt="${name}" width="${shown.width}"
height="${shown.width}" referrerpolicy="no-referrer"></figure>`

const nothing = (model: ProductModel): Html => html`<div class="state">
<h2>No payment method is available right now</h2>
<p>${
  model.providerAway
    ? 'The payment provider isn’t responding. Please try again in a few minutes.'
    : 'None of the shop’s payment methods is available for this amount.'
}</p>
${buttonLink(`/checkout/${model.productId}`, 'Try again')}
</div>`

const refused = ({ refusal }: ProductModel): Html | null =>
  refusal === null ? null : html`<div class="state warn" role="alert"><p>${refusal}</p></div>`

const hasErrors = ({ errors }: ProductModel): Html | false =>
  Object.keys(errors).length > 0 &&
  html`<div class="state warn" role="alert"><p>Please fix the highlighted fields.</p></div>`

/** The public page of a product, with its order form. */
export const productPage = (model: ProductModel, assets: Assets, notice: string | null): string =>
  layout({
    title: `${model.name} – ${model.merchantName}`,
    assets,
    notice,
    body: html`<div class="card">
<header class="summary">
${image(model)}
<p class="merchant">${model.merchantName}</p>
<h1 class="product">${model.name}</h1>
<p class="amount">${model.price}</p>
${model.description && html`<p class="what">${model.description}</p>`}
</header>
${refused(model)}
${hasErrors(model)}
${model.methods.length > 0 ? productForm(model) : nothing(model)}
</div>
${footer(model)}`,
  })
