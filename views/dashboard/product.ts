import { type Html, html, raw } from '../html.ts'
import type { DashboardLocale, Money } from './locale.ts'
import {
  consequence,
  copyable,
  describedBy,
  field,
  hidden,
  message,
  type Options,
  select,
  staleMessage,
} from './parts.ts'

type Texts = DashboardLocale['texts']['products']

export type ProductField = 'name' | 'description' | 'amount' | 'currency'

export interface ProductFormModel {
  action: string
  /** ID of the form, so that sending it twice creates one product; empty for an existing product */
  token: string
  values: Record<ProductField, string>
  currencies: Options
  methods: readonly { key: string; name: string; isChosen: boolean }[]
  allowPriceOverride: boolean
  /** null in a shop without tax settings */
  taxClass: keyof Texts['taxClasses'] | null
  imageUrl: string | null
  isNew: boolean
  /** true for staff who may not change prices: the form sends the price back unchanged */
  isPriceFixed: boolean
  /** names of the invalid fields */
  wrong: readonly (keyof Texts['wrong'])[]
  problem: string | null
  /** shown version of the product, so that no later change is overwritten; null for a new product */
  version: string | null
  /** message that the product was changed since the form was opened; null if it was not */
  stale: string | null
}

interface ProductModel {
  id: string
  name: string
  description: string | null
  price: Money
  isActive: boolean
  allowsOtherPrices: boolean
  imageUrl: string | null
  checkoutUrl: string
  /** SVG image */
  qr: string
  /** colors of the shop's buttons and of the text on them */
  color: string
  ink: string
  /** null for people who may not change products */
  form: ProductFormModel | null
  done: keyof Texts['made'] | null
}

function imageField({ texts: { products } }: DashboardLocale, { imageUrl, wrong }: ProductFormModel): Html {
  const isWrong = wrong.includes('image')
  return html`<div class="field"><label for="file">${products.labels.image}</label>
<p class="hint" id="file-hint">${products.hints.image}</p>
<input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp" data-crop="800"
data-cropped="${products.cropped}" aria-describedby="file-hint${isWrong && ' file-problem'}"
${isWrong && html` aria-invalid="true" autofocus`}>
<p class="hint" data-crop-note role="status"></p>
<img class="crop" data-crop-preview alt="${products.preview}" width="160" height="160" hidden>
${isWrong && html`<p class="problem" id="file-problem">${products.wrong.image}</p>`}</div>
${
  imageUrl !== null &&
  html`<p><label class="check"><input type="checkbox" name="removeImage" value="yes">
${products.removeImage}</label></p>`
}`
}

function priceFields(
  { texts: { products } }: DashboardLocale,
  { values, currencies, wrong, allowPriceOverride }: ProductFormModel,
  input: (name: ProductField, more: object) => Html,
): Html {
  return html`<div class="columns">
${input('amount', { isRequired: true, inputMode: 'decimal' })}
${select({
  name: 'currency',
  label: products.labels.currency,
  value: values.currency,
  options: currencies,
  problem: wrong.includes('currency') ? products.wrong.currency : undefined,
})}
</div>
<label class="check"><input type="checkbox" name="allowPriceOverride" value="yes"
${allowPriceOverride && html` checked`} aria-describedby="override-hint">${products.override}</label>
<p class="hint" id="override-hint">${products.overrideHint}</p>`
}

/** The price, with hidden fields that send it back unchanged. */
function fixedPrice(locale: DashboardLocale, { values, allowPriceOverride }: ProductFormModel): Html {
  const { products } = locale.texts
  const { amount, currency } = values
  const fields = { amount, currency, ...(allowPriceOverride && { allowPriceOverride: 'yes' }) }
  return html`<p>${products.labels.amount}: <bdi>${locale.money({ amount, currency })}</bdi><br>
<span class="soft">${products.ownerSetsPrices}</span></p>
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

function taxClassField({ texts: { products } }: DashboardLocale, model: ProductFormModel): Html | null {
  const { taxClass, isPriceFixed } = model
  if (taxClass === null || isPriceFixed) return null
  return select({
    name: 'taxClass',
    label: products.taxClass,
    value: taxClass,
    options: Object.entries(products.taxClasses),
  })
}

function productForm(locale: DashboardLocale, model: ProductFormModel): Html {
  const { products, newOrder } = locale.texts
  const hints: Partial<Record<ProductField, string>> = products.hints
  const input = (name: ProductField, more: object = {}) =>
    field({
      name,
      label: products.labels[name],
      value: model.values[name],
      hint: hints[name],
      problem: model.wrong.includes(name) ? products.wrong[name] : undefined,
      ...more,
    })
  return html`${model.problem && message('warn', model.problem)}
${model.stale !== null && staleMessage(locale, model.stale, model.action)}
<form method="post" action="${model.action}" enctype="multipart/form-data" class="card">
${hidden(locale, { token: model.token, version: model.version })}
${input('name', { isRequired: true })}
${input('description')}
${model.isPriceFixed ? fixedPrice(locale, model) : priceFields(locale, model, input)}
${taxClassField(locale, model)}
<fieldset aria-describedby="methods-hint"><legend>${newOrder.methods}</legend>
<p class="hint" id="methods-hint">${newOrder.methodsHint}</p>
${model.methods.map(
  ({ key, name, isChosen }) => html`<label class="check"><input type="checkbox" name="method" value="${key}"
${isChosen && html` checked`}>${name}</label>
`,
)}${model.wrong.includes('methods') && html`<p class="problem">${products.wrong.methods}</p>`}</fieldset>
${imageField(locale, model)}
<p><button>${model.isNew ? products.submit : locale.texts.frame.save}</button></p>
</form>`
}

export const newProductBody = (locale: DashboardLocale, model: ProductFormModel): Html => {
  const { products } = locale.texts
  return html`<p><a href="/dashboard/products">${products.title}</a></p>
<h1>${products.create}</h1>
${productForm(locale, model)}`
}

/** The border is visible on light and dark pages, unlike some colors of shops. */
const buttonStyle = ({ color, ink }: ProductModel): string =>
  [
    `display:inline-block;padding:12px 20px;border:1px solid #808080;border-radius:8px`,
    `background:${color};color:${ink};font:600 16px system-ui,sans-serif;text-decoration:none`,
  ].join(';')

/** HTML of a button for the shop's own website. */
function snippetOf({ texts: { products } }: DashboardLocale, model: ProductModel): string {
  const words = products.buy({ name: model.name })
  return html`<a href="${model.checkoutUrl}" style="${buttonStyle(model)}">${words}</a>`.toString()
}

function sharing(locale: DashboardLocale, model: ProductModel): Html {
  const { products } = locale.texts
  if (!model.isActive) return html`<section class="card"><p>${products.notShared}</p></section>`
  return html`<section class="card"><h2>${products.share}</h2>
<p>${copyable(locale, model.checkoutUrl)}</p>
<p><a href="${model.checkoutUrl}">${products.open}</a></p>
<div class="qr" role="img" aria-label="${products.qr}">${raw(model.qr)}</div>
<h3>${products.snippet}</h3>
<p class="hint">${products.snippetHint}</p>
<p>${copyable(locale, snippetOf(locale, model))}</p>
<h3>${products.social}</h3>
<p class="hint">${model.imageUrl ? products.socialHint : products.socialWithoutImage}</p>
</section>`
}

function preview(locale: DashboardLocale, model: ProductModel): Html {
  const { money, texts } = locale
  const { products } = texts
  const { id, name, description, price, imageUrl, isActive, allowsOtherPrices, form } = model
  const [action, label] = isActive ? ['archive', products.archiveOne] : ['restore', products.restoreOne]
  return html`<section class="card"><h2>${products.preview}</h2>
${
  imageUrl &&
  html`<img class="crop" src="${imageUrl}" alt="${name}" width="160" height="160"
referrerpolicy="no-referrer">`
}
<p dir="auto"><strong>${name}</strong></p>
<p>${money(price)}${allowsOtherPrices && html` · ${products.otherPrices}`}</p>
${description && html`<p class="written" dir="auto">${description}</p>`}
${
  form &&
  html`<form method="post" action="/dashboard/products/archive">
${hidden(locale, { [`product.${id}`]: 'yes' })}
${isActive && consequence(locale, 'archiveProduct')}
<button class="quiet" name="do" value="${action}"
${isActive && describedBy('archiveProduct')}>${label}</button></form>`
}</section>`
}

/** The page of a product in the dashboard. */
export function productBody(locale: DashboardLocale, model: ProductModel): Html {
  const { products } = locale.texts
  const { name, isActive, form, done } = model
  return html`<p><a href="/dashboard/products">${products.title}</a></p>
<div class="between"><h1 dir="auto">${name}</h1>
${!isActive && html`<p><span class="badge">${products.archived}</span></p>`}</div>
${done && message('good', products.made[done])}
<div class="columns">${preview(locale, model)}
${sharing(locale, model)}</div>
${form && html`<h2>${products.edit}</h2>${productForm(locale, form)}`}`
}
