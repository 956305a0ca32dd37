import { handledByNamed, leadOf } from '../checkout/choose.ts'
import { drawnOnce } from '../drawn-once.ts'
import { type Html, html } from '../html.ts'
import { chevron, chip, markIcon } from '../icons/icons.ts'
import type { Locale } from '../locale.ts'
import type { Currency, ProductField, ProductMethod, ProductModel } from './model.ts'

interface Field {
  name: ProductField
  label: string
  /** fixed attributes, never input of a buyer */
  rules: Html
  hint?: string
}

const errorId = (name: ProductField): string => `${name}-error`

const fieldError = ({ errors }: ProductModel, name: ProductField): Html | false =>
  errors[name] !== undefined && html`<p class="field-error" id="${errorId(name)}">${errors[name]}</p>`

/** The fields in the order of the page. */
const fields: readonly ProductField[] = [
  ...(['amount', 'currency', 'email', 'fullName', 'country', 'vatId', 'paymentMethodKey'] as const),
]

const firstWrong = ({ errors }: ProductModel): ProductField | undefined =>
  fields.find(name => errors[name] !== undefined)

const focused = (model: ProductModel, name: ProductField): Html | false =>
  firstWrong(model) === name && html` autofocus`

const marked = ({ errors }: ProductModel, name: ProductField): Html | false =>
  errors[name] !== undefined && html` aria-invalid="true" aria-describedby="${errorId(name)}"`

const described = (model: ProductModel, name: ProductField): Html =>
  html`${marked(model, name)}${focused(model, name)}`

const input = (model: ProductModel, { name, label, rules, hint }: Field): Html => html`<p class="entry">
<label for="${name}">${label}${hint && html` <span class="hint">${hint}</span>`}</label>
<input class="field" id="${name}" name="${name}" value="${model.values[name]}"
${rules}${described(model, name)}>
</p>
${fieldError(model, name)}`

const email = ({ texts }: Locale): Field => ({
  name: 'email',
  label: texts.product.email,
  rules: html` type="email" autocomplete="email" maxlength="254" dir="auto" required`,
})

const fullName = ({ texts }: Locale): Field => ({
  name: 'fullName',
  label: texts.product.name,
  hint: texts.product.optional,
  rules: html` autocomplete="name" maxlength="128" dir="auto"`,
})

const vatId = ({ texts }: Locale): Field => ({
  name: 'vatId',
  label: texts.product.vatId,
  hint: texts.product.optional,
  rules: html` autocomplete="off" maxlength="40" dir="ltr"`,
})

/** The fields that decide the tax: the buyer's country and VAT ID. */
function taxFields(locale: Locale, model: ProductModel): Html | null {
  const { tax, values } = model
  if (tax === null) return null
  const { product } = locale.texts
  return html`<p class="entry"><label for="country">${product.country}</label>
<select class="field" id="country" name="country" autocomplete="country"
required${described(model, 'country')}>
<option value="">–</option>
${tax.countries.map(
  ([code, name]) =>
    html`<option value="${code}"${code === values.country && html` selected`}>${name}</option>`,
)}
</select></p>
${fieldError(model, 'country')}
${input(model, vatId(locale))}
${tax.isAdded && html`<p class="hint">${product.taxAdded}</p>`}`
}

const amount = ({ texts }: Locale): Field => ({
  name: 'amount',
  label: texts.product.amount,
  rules: html` inputmode="decimal" autocomplete="off" maxlength="22" dir="auto" required`,
})

const options = (currencies: readonly Currency[], chosen: string): Html =>
  html`${currencies.map(
    ({ code, label }) => html`<option value="${code}"${code === chosen && html` selected`}>${label}</option>`,
  )}`

/** The options before a currency was chosen. None is marked: browsers select the first one. */
const freshOptions = drawnOnce((_, currencies: readonly Currency[]): Html => options(currencies, ''))

function price(locale: Locale, model: ProductModel, currencies: readonly Currency[]): Html {
  const { product } = locale.texts
  const { currency: chosen } = model.values
  return html`<fieldset class="price">
<legend>${product.price}</legend>
<div>${input(model, amount(locale))}</div>
<div>
<p class="entry"><label for="currency">${product.currency}</label>
<select class="field" id="currency" name="currency" autocomplete="off"${described(model, 'currency')}>
${chosen === currencies[0]?.code ? freshOptions(locale, currencies) : options(currencies, chosen)}
</select></p>
${fieldError(model, 'currency')}
</div>
</fieldset>`
}

interface Option {
  key: string
  icon: Html
  title: string
  sub: string | null
}

function method(model: ProductModel, { key, icon, title, sub }: Option, isFirst: boolean): Html {
  const checked = key === model.values.paymentMethodKey && html` checked`
  const focus = isFirst && focused(model, 'paymentMethodKey')
  return html`<li><label class="method">
<input type="radio" name="paymentMethodKey" value="${key}"${checked}${focus} required> ${icon}
<span class="name">${title}${sub && html` <span class="sub">${sub}</span>`}</span></label></li>`
}

const optionOf = ({ texts }: Locale, { key, title, provider, means, currencies }: ProductMethod): Option => ({
  key,
  icon: chip(leadOf(means)),
  title,
  sub: [provider === null ? [] : texts.choose.through({ provider }), currencies].flat().join(' · ') || null,
})

function methods(locale: Locale, model: ProductModel): Html {
  const { texts } = locale
  const options = model.methods.map(offered => optionOf(locale, offered))
  const more = model.more.map(offered => optionOf(locale, offered))
  const isHidden = more.some(({ key }) => key === model.values.paymentMethodKey)
  const crypto = model.crypto && {
    key: 'crypto',
    icon: html`<span class="marks">${model.crypto.marks.map(mark => markIcon(mark, ''))}</span>`,
    title: texts.choose.crypto,
    sub: model.crypto.note,
  }
  return html`<fieldset${marked(model, 'paymentMethodKey')}>
<legend>${texts.product.howToPay}</legend>
${fieldError(model, 'paymentMethodKey')}
<ul class="methods">
${options.map((option, at) => method(model, option, at === 0))}
${crypto && method(model, crypto, options.length === 0)}
</ul>
${
  more.length > 0 &&
  html`<details class="more"${isHidden && html` open`}><summary>${texts.choose.moreWays} ${chevron}</summary>
<ul class="methods">${more.map(option => method(model, option, false))}</ul></details>`
}
${handledByNamed(locale, model)}
${model.providerAway && html`<p class="hint">${texts.choose.cardsAway}</p>`}
</fieldset>`
}

/** The form: the price if the buyer can set it, the contact and the payment method. */
export const productForm = (locale: Locale, model: ProductModel): Html => html`<form method="post"
action="/checkout/${model.productId}">
${model.currencies && price(locale, model, model.currencies)}
${input(model, email(locale))}
${input(model, fullName(locale))}
${taxFields(locale, model)}
${methods(locale, model)}
<button class="button">${locale.texts.product.continue}</button>
</form>`
