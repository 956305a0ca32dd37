import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, hidden, message, type Options, select, staleMessage } from './parts.ts'

type Texts = DashboardLocale['texts']['tax']
export type TaxField = keyof Texts['labels']

export interface TaxModel {
  values: {
    charged: 'yes' | 'no'
    country: string
    vatId: string
    prices: 'included' | 'added'
    exemption: string
    sells: 'goods' | 'services'
    reverseCharge: 'yes' | 'no'
    /** rates, with one country in each line */
    rates: string
  }
  /** names of the invalid fields */
  wrong: readonly string[]
  problem: string | null
  stale: string | null
  isSaved: boolean
  version: string
  countries: Options
  /** rates of EU countries, such as "DE 19 7" */
  suggestions: readonly string[]
  suggestedOn: number
}

function ratesField(locale: DashboardLocale, { values, wrong, suggestions, suggestedOn }: TaxModel): Html {
  const { tax } = locale.texts
  const isWrong = wrong.includes('rates')
  return html`<div class="field"><label for="rates">${tax.labels.rates}</label>
<p class="hint" id="rates-hint">${tax.hints.rates}</p>
<textarea id="rates" name="rates" rows="6" spellcheck="false"
aria-describedby="rates-hint${isWrong && ' rates-problem'}"${isWrong && html` aria-invalid="true" autofocus`}>
${values.rates}</textarea>
${isWrong && html`<p class="problem" id="rates-problem">${tax.wrong.rates}</p>`}
<details><summary>${tax.suggestions}</summary>
<p class="hint">${tax.suggestionsHint({ date: locale.date(suggestedOn) })}</p>
<p class="code">${suggestions.map(line => html`${line}<br>`)}</p></details></div>`
}

/** The tax settings of a shop. */
export function taxBody(locale: DashboardLocale, model: TaxModel): Html {
  const { tax, frame, settings } = locale.texts
  const { values, wrong, countries } = model
  const choice = (name: keyof Texts['choices']): Html =>
    select({
      ...{ name, label: tax.labels[name], hint: tax.hints[name], value: values[name] },
      options: Object.entries(tax.choices[name]),
    })
  const input = (name: 'vatId' | 'exemption'): Html =>
    field({
      ...{ name, label: tax.labels[name], hint: tax.hints[name], value: values[name] },
      problem: wrong.includes(name) ? tax.wrong[name] : undefined,
    })
  return html`<p><a href="/dashboard/settings">${settings.title}</a></p>
<h1>${tax.title}</h1>
<p>${tax.about}</p>
${model.isSaved && message('good', tax.saved)}
${model.problem && message('warn', model.problem)}
${model.stale !== null && staleMessage(locale, model.stale, '/dashboard/settings/tax')}
<form method="post" action="/dashboard/settings/tax" class="card">
${hidden(locale, { version: model.version })}
${choice('charged')}
${select({
  ...{ name: 'country', label: tax.labels.country, hint: tax.hints.country, value: values.country },
  options: values.country === '' ? [['', '–'], ...countries] : countries,
  problem: wrong.includes('country') ? tax.wrong.country : undefined,
})}
${input('vatId')}
${choice('prices')}
${ratesField(locale, model)}
${choice('sells')}
${choice('reverseCharge')}
${input('exemption')}
<button>${frame.save}</button>
</form>`
}
