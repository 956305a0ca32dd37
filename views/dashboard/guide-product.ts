import { type Html, html, raw } from '../html.ts'
import { type Guide, guidePage } from './guide.ts'
import type { DashboardLocale } from './locale.ts'
import { copyable, field, hidden, message, type Options, select } from './parts.ts'

const kinds = ['product', 'link'] as const
export type SaleKind = (typeof kinds)[number]

interface GuideProductModel {
  values: { kind: SaleKind; what: string; amount: string; currency: string }
  currencies: Options
  /** ID of the form, so that sending it twice creates one product or link */
  token: string
  /** names of the invalid fields */
  wrong: readonly string[]
  problem: string | null
  needsWallet: boolean
  /** existing product or payment link */
  made: { kind: SaleKind; name: string; url: string; qr: string } | null
}

function made(
  locale: DashboardLocale,
  { kind, name, url, qr }: NonNullable<GuideProductModel['made']>,
): Html {
  const { setup } = locale.texts
  const all = { product: '/dashboard/products', link: '/dashboard/orders' }
  return html`<section class="card" aria-labelledby="made"><h2 id="made" dir="auto">${name}</h2>
${message('good', setup.product.done[kind])}
<p>${copyable(locale, url)}</p>
<div class="qr" role="img" aria-label="${setup.product.qr}">${raw(qr)}</div>
<p><a href="${url}" target="_blank">${setup.product.open}</a></p>
<p><a href="${all[kind]}">${setup.product.another[kind]}</a></p></section>`
}

function form(locale: DashboardLocale, { values, currencies, token, wrong }: GuideProductModel): Html {
  const { setup, products } = locale.texts
  const problem = (name: string, text: string) => (wrong.includes(name) ? text : undefined)
  return html`<form method="post" action="/dashboard/setup/product" class="card">
${hidden(locale, { token })}
<fieldset><legend>${setup.product.kind}</legend>
${kinds.map(
  kind => html`<label class="check"><input type="radio" name="kind" value="${kind}"
${kind === values.kind && html` checked`}><span>${setup.product.kinds[kind]}<br>
<span class="soft">${setup.product.kindHints[kind]}</span></span></label>
`,
)}</fieldset>
${field({
  name: 'what',
  label: setup.product.what,
  hint: setup.product.whatHint,
  value: values.what,
  problem: problem('what', setup.product.wrongWhat),
  isRequired: true,
})}
<div class="columns">
${field({
  name: 'amount',
  label: products.labels.amount,
  hint: products.hints.amount,
  value: values.amount,
  inputMode: 'decimal',
  problem: problem('amount', products.wrong.amount),
  isRequired: true,
})}
${select({
  name: 'currency',
  label: products.labels.currency,
  value: values.currency,
  options: currencies,
  problem: problem('currency', products.wrong.currency),
})}
</div>
<button>${setup.product.submit}</button></form>`
}

/** The step of the setup that creates a product or a payment link. */
export function guideProductBody(locale: DashboardLocale, guide: Guide, model: GuideProductModel): Html {
  const { setup } = locale.texts
  const body = html`${!model.made && html`<p>${setup.product.intro}</p>`}
${model.problem && message('warn', model.problem)}
${
  model.needsWallet &&
  html`<div class="message warn" role="alert"><p>${setup.product.needsWallet}</p>
<p><a href="/dashboard/setup/payouts">${setup.product.toWallets}</a></p></div>`
}
${model.made ? made(locale, model.made) : form(locale, model)}`
  return guidePage(locale, guide, setup.product.title, body)
}
