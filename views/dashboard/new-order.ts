import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message, type Options, select } from './parts.ts'

type Texts = DashboardLocale['texts']['newOrder']

export type NewOrderField = 'amount' | 'currency' | 'description' | 'email' | 'fullName' | 'externalId'
export type Expiry = keyof Texts['expiries']

interface NewOrderModel {
  values: Record<NewOrderField, string>
  currencies: Options
  methods: readonly { key: string; name: string; isChosen: boolean }[]
  expiry: string
  /** null in a shop without tax settings */
  tax: { countries: Options; country: string; vatId: string } | null
  /** ID of the form, so that sending it twice creates one order */
  token: string
  /** the order that the new one replaces; null if it replaces none */
  corrected: { id: string; name: string } | null
  wrong: readonly string[]
  problem: string | null
}

function methods({ texts: { newOrder } }: DashboardLocale, model: NewOrderModel): Html | null {
  if (model.methods.length === 0) return null
  return html`<fieldset aria-describedby="methods-hint"><legend>${newOrder.methods}</legend>
<p class="hint" id="methods-hint">${newOrder.methodsHint}</p>
${model.methods.map(
  ({ key, name, isChosen }) => html`<label class="check"><input type="checkbox" name="method" value="${key}"
${isChosen && html` checked`}>${name}</label>
`,
)}${model.wrong.includes('methods') && html`<p class="problem">${newOrder.wrong.methods}</p>`}</fieldset>`
}

const expiry = ({ texts: { newOrder } }: DashboardLocale, chosen: string): Html =>
  html`<div class="field"><label for="expiry">${newOrder.labels.expiry}</label>
<select id="expiry" name="expiry">${Object.entries(newOrder.expiries).map(
    ([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>
`,
  )}</select></div>`

/** The fields that decide the tax of the order: the customer's country and VAT ID. */
function taxFields({ texts: { newOrder } }: DashboardLocale, { tax, wrong }: NewOrderModel): Html | null {
  if (tax === null) return null
  const problemOf = (name: 'country' | 'vatId') => (wrong.includes(name) ? newOrder.wrong[name] : undefined)
  return html`<div class="columns">
${select({
  ...{ name: 'country', label: newOrder.labels.country, value: tax.country, options: tax.countries },
  problem: problemOf('country'),
})}
${field({
  ...{ name: 'vatId', label: newOrder.labels.vatId, value: tax.vatId, hint: newOrder.hints.vatId },
  problem: problemOf('vatId'),
})}
</div>`
}

/** The page on which people create an order and get its link. */
export function newOrderBody(locale: DashboardLocale, model: NewOrderModel): Html {
  const { newOrder } = locale.texts
  const hints: Partial<Record<NewOrderField, string>> = newOrder.hints
  const input = (name: NewOrderField, more: object = {}) =>
    field({
      name,
      label: newOrder.labels[name],
      value: model.values[name],
      hint: hints[name],
      problem: model.wrong.includes(name) ? newOrder.wrong[name] : undefined,
      ...more,
    })
  const { corrected } = model
  return html`<h1>${corrected ? newOrder.correctTitle({ name: corrected.name }) : newOrder.title}</h1>
<p>${corrected ? newOrder.correctIntro : newOrder.intro}</p>
${model.problem && message('warn', model.problem)}
<form method="post" action="/dashboard/orders/new" class="card">
${hidden(locale, { token: model.token, correct: corrected?.id ?? null })}
<div class="columns">
${input('amount', { isRequired: true, inputMode: 'decimal' })}
${select({
  name: 'currency',
  label: newOrder.labels.currency,
  value: model.values.currency,
  options: model.currencies,
  problem: model.wrong.includes('currency') ? newOrder.wrong.currency : undefined,
})}
</div>
${input('description')}
<div class="columns">
${input('email', { type: 'email' })}
${input('fullName')}
</div>
${taxFields(locale, model)}
${input('externalId')}
${methods(locale, model)}
${expiry(locale, model.expiry)}
<button>${newOrder.submit}</button>
</form>`
}
