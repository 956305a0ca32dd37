import { type Html, html } from '../html.ts'
import type { ProductField, ProductModel } from './model.ts'

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

const described = ({ errors }: ProductModel, name: ProductField): Html | false =>
  errors[name] !== undefined && html` aria-invalid="true" aria-describedby="${errorId(name)}"`

const input = (model: ProductModel, { name, label, rules, hint }: Field): Html => html`<p class="entry">
<label for="${name}">${label}${hint && html` <span class="hint">${hint}</span>`}</label>
<input class="field" id="${name}" name="${name}" value="${model.values[name]}"
${rules}${described(model, name)}>
</p>
${fieldError(model, name)}`

const email: Field = {
  name: 'email',
  label: 'Email',
  rules: html` type="email" autocomplete="email" maxlength="254" required`,
}

const fullName: Field = {
  name: 'fullName',
  label: 'Name',
  hint: '(optional)',
  rules: html` autocomplete="name" maxlength="128"`,
}

const amount: Field = {
  name: 'amount',
  label: 'Amount',
  rules: html` inputmode="decimal" autocomplete="off" maxlength="22" required`,
}

const option = (code: string, chosen: string): Html =>
  html`<option${code === chosen && html` selected`}>${code}</option>`

const price = (model: ProductModel, currencies: readonly string[]): Html => html`<fieldset class="price">
<legend>Your price</legend>
<div>${input(model, amount)}</div>
<div>
<p class="entry"><label for="currency">Currency</label>
<select class="field" id="currency" name="currency" autocomplete="off"${described(model, 'currency')}>
${currencies.map(code => option(code, model.values.currency))}
</select></p>
${fieldError(model, 'currency')}
</div>
</fieldset>`

function method(model: ProductModel, { key, name, note }: ProductModel['methods'][number]): Html {
  const checked = key === model.values.paymentMethodKey && html` checked`
  return html`<li><label class="method">
<span class="name">
<input type="radio" name="paymentMethodKey" value="${key}"${checked} required> ${name}</span>
<span class="note">${note}</span></label></li>`
}

const away = html`<p class="hint">Card, bank and digital wallet payments aren’t available right now.</p>`

const methods = (model: ProductModel): Html => html`<fieldset${described(model, 'paymentMethodKey')}>
<legend>How do you want to pay?</legend>
${fieldError(model, 'paymentMethodKey')}
<ul class="methods">
${model.methods.map(offered => method(model, offered))}
</ul>
${model.providerAway && away}
</fieldset>`

/** The form: the price when the buyer can set it, the contact and the payment method. */
export const productForm = (model: ProductModel): Html => html`<form method="post"
action="/checkout/${model.productId}">
${model.currencies && price(model, model.currencies)}
${input(model, email)}
${input(model, fullName)}
${methods(model)}
<button class="button">Continue to payment</button>
</form>`
