import { noneBecause } from '../checkout/choose.ts'
import { type Html, html } from '../html.ts'
import { type Frame, layout } from '../layout.ts'
import type { Locale } from '../locale.ts'
import { buttonLink } from '../parts.ts'
import { shopLine } from '../shop.ts'
import { productForm } from './form.ts'
import type { ProductModel } from './model.ts'

const image = ({ image: shown, name }: ProductModel): Html | null =>
  shown &&
  html`<figure class="picture"><img src="${shown.url}" alt="${name}" width="${shown.width}"
height="${shown.width}" referrerpolicy="no-referrer"></figure>`

const nothing = ({ texts }: Locale, model: ProductModel): Html => html`<div class="state">
<h2>${texts.choose.nothing}</h2>
<p>${noneBecause(texts, model)}</p>
${buttonLink(`/checkout/${model.productId}`, texts.page.tryAgain)}
</div>`

const refused = ({ refusal }: ProductModel): Html | null =>
  refusal === null ? null : html`<div class="state warn" role="alert"><p>${refusal}</p></div>`

const hasErrors = ({ texts }: Locale, { errors }: ProductModel): Html | false =>
  Object.keys(errors).length > 0 &&
  html`<div class="state warn" role="alert"><p>${texts.product.fixFields}</p></div>`

/** Content for search engines and link previews. */
const preview = ({ name, shop, summary, pageUrl, imageUrl }: ProductModel): Html => html`${
  shop.isListed
    ? html`<link rel="canonical" href="${pageUrl}">`
    : html`<meta name="robots" content="noindex">`
}
<meta name="description" content="${summary}">
<meta property="og:type" content="product">
<meta property="og:site_name" content="${shop.name}">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${summary}">
<meta property="og:url" content="${pageUrl}">
${imageUrl && html`<meta property="og:image" content="${imageUrl}">`}`

/** The title of the page. A screen reader reads it first, so it says if the form was refused. */
function titleOf({ texts }: Locale, { name, shop, errors, refusal }: ProductModel): string {
  const title = `${name} – ${shop.name}`
  return refusal !== null || Object.keys(errors).length > 0 ? texts.errors.titled({ title }) : title
}

/** The public page of a product, with its order form. */
export const productPage = (locale: Locale, model: ProductModel, frame: Frame): string =>
  layout({
    ...frame,
    locale,
    url: `/checkout/${model.productId}`,
    title: titleOf(locale, model),
    shop: model.shop,
    isWide: true,
    preview: preview(model),
    body: html`<div class="columns">
<header class="order product">
${shopLine(model.shop)}
${image(model)}
<h1><bdi>${model.name}</bdi></h1>
<p class="amount">${model.price}</p>
${model.description && html`<p class="what"><bdi>${model.description}</bdi></p>`}
</header>
<div class="card">
${refused(model)}
${hasErrors(locale, model)}
${model.methods.length > 0 || model.crypto ? productForm(locale, model) : nothing(locale, model)}
</div>
</div>`,
  })
