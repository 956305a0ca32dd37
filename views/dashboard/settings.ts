import { type Html, html } from '../html.ts'
import { type DashboardLocale, languageOptions } from './locale.ts'
import { type Look, lookPreview } from './look.ts'
import { field, hidden, message, type Options, select, staleMessage } from './parts.ts'
import { type MethodsModel, methodsCard } from './payment-methods.ts'
import { proofField } from './proof.ts'

type Texts = DashboardLocale['texts']['settings']
export type SettingsField = keyof Texts['labels']

export const settingsFields = [
  ...(['name', 'color', 'supportEmail', 'supportUrl', 'returnUrl', 'termsUrl', 'privacyUrl'] as const),
  'embedOrigins' as const,
  ...(['searchable', 'receipts', 'paymentMails', 'late', 'tolerance'] as const),
  ...(['timeZone', 'currency', 'language', 'secondFactor', 'staffPrices'] as const),
]

export interface SettingsModel {
  values: Record<SettingsField, string>
  /** names of the invalid fields */
  wrong: readonly string[]
  problem: string | null
  isSaved: boolean
  /** version of the settings that the form shows, so that a later change is not overwritten */
  version: string
  /** message that the settings were changed since the form was opened; null if they were not */
  stale: string | null
  methods: MethodsModel
  currencies: Options
  timeZones: Options
  /** current appearance to buyers */
  look: Look
  /** URL of a product's page; null if there is none */
  exampleUrl: string | null
  /** true if the server can send mail */
  hasMail: boolean
}

const preview = (locale: DashboardLocale, { look, exampleUrl }: SettingsModel): Html => {
  const { settings } = locale.texts
  return html`<section class="card"><h2>${settings.preview}</h2>
${lookPreview(locale, look)}
${exampleUrl && html`<p><a href="${exampleUrl}">${settings.example}</a></p>`}</section>`
}

function choice(
  { texts: { settings } }: DashboardLocale,
  { values }: SettingsModel,
  name: 'searchable' | 'receipts' | 'paymentMails' | 'late' | 'secondFactor' | 'staffPrices',
): Html {
  return select({
    name,
    label: settings.labels[name],
    hint: settings.hints[name],
    value: values[name],
    options: Object.entries(settings.choices[name]),
  })
}

function logo({ texts: { settings } }: DashboardLocale, { look, wrong }: SettingsModel): Html {
  const isWrong = wrong.includes('logo')
  return html`<div class="field"><label for="file">${settings.logo}</label>
<p class="hint" id="file-hint">${settings.logoHint}</p>
<input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp,image/svg+xml"
data-fit="1024"
aria-describedby="file-hint${isWrong && ' file-problem'}"${isWrong && html` aria-invalid="true" autofocus`}>
${isWrong && html`<p class="problem" id="file-problem">${settings.wrongLogo}</p>`}</div>
${
  look.logoUrl &&
  html`<p><label class="check"><input type="checkbox" name="removeLogo" value="yes">
${settings.removeLogo}</label></p>`
}`
}

/** The settings of a shop: its appearance to buyers, and the handling of payments. */
export function settingsBody(locale: DashboardLocale, model: SettingsModel): Html {
  const { settings, frame } = locale.texts
  const { values, wrong, problem, isSaved, hasMail } = model
  const input = (name: SettingsField & keyof Texts['wrong'], more: object = {}) =>
    field({
      name,
      label: settings.labels[name],
      hint: settings.hints[name],
      value: values[name],
      problem: wrong.includes(name) ? settings.wrong[name] : undefined,
      ...more,
    })
  const list = (name: 'currency' | 'timeZone', options: Options) =>
    select({
      ...{ name, options, label: settings.labels[name], hint: settings.hints[name], value: values[name] },
      problem: wrong.includes(name) ? settings.wrong[name] : undefined,
    })
  const url = { type: 'url' } as const
  return html`<h1>${settings.title}</h1>
${isSaved && message('good', settings.saved)}
${problem && message('warn', problem)}
${model.stale !== null && staleMessage(locale, model.stale, '/dashboard/settings')}
${preview(locale, model)}
${methodsCard(locale, model.methods)}
<p><a href="/dashboard/settings/tax">${settings.tax}</a></p>
<form method="post" action="/dashboard/settings" enctype="multipart/form-data" data-look-form>
${hidden(locale, { version: model.version })}
<section class="card"><h2>${settings.looks}</h2>
${input('name', { isRequired: true })}
${logo(locale, model)}
${input('color')}
</section>
<section class="card"><h2>${settings.links}</h2>
${input('supportEmail', { type: 'email' })}
${input('supportUrl', url)}
${input('returnUrl', url)}
${input('termsUrl', url)}
${input('privacyUrl', url)}
${choice(locale, model, 'searchable')}
${input('embedOrigins')}
</section>
<section class="card"><h2>${settings.payments}</h2>
${choice(locale, model, 'receipts')}
${choice(locale, model, 'paymentMails')}
${!hasMail && [values.receipts, values.paymentMails].includes('yes') && message('warn', settings.noMail)}
${choice(locale, model, 'late')}
${input('tolerance', { inputMode: 'decimal' })}
${list('currency', [['', settings.noCurrency], ...model.currencies])}
${list('timeZone', model.timeZones)}
${select({
  name: 'language',
  label: settings.labels.language,
  hint: settings.hints.language,
  value: values.language,
  options: languageOptions(),
})}
</section>
<section class="card"><h2>${settings.people}</h2>
${choice(locale, model, 'secondFactor')}
${choice(locale, model, 'staffPrices')}
</section>
${proofField(locale)}
<button>${frame.save}</button>
</form>`
}
