import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, message } from './parts.ts'

type Texts = DashboardLocale['texts']['settings']
export type SettingsField = keyof Texts['labels']

export const settingsFields = [
  ...(['name', 'color', 'supportEmail', 'supportUrl', 'returnUrl', 'termsUrl', 'privacyUrl'] as const),
  ...(['searchable', 'receipts', 'late', 'tolerance', 'timeZone', 'currency'] as const),
]

export interface SettingsModel {
  values: Record<SettingsField, string>
  /** the fields to correct */
  wrong: readonly string[]
  problem: string | null
  isSaved: boolean
  /** what buyers see now */
  look: { name: string; color: string | null; logoUrl: string | null; exampleUrl: string | null }
  /** whether the server can send mail */
  hasMail: boolean
}

/** Of a shop that has not set any. */
const COLOR = '#14614a'
const BUTTON_WORDS_MAX = 28

/** How the pages of buyers begin. Colors are attributes, because pages have no inline styles. */
function preview({ texts: { settings } }: DashboardLocale, { look }: SettingsModel): Html {
  const { name, color, logoUrl, exampleUrl } = look
  const characters = [...name]
  const shown =
    characters.length > BUTTON_WORDS_MAX ? `${characters.slice(0, BUTTON_WORDS_MAX).join('')}…` : name
  return html`<section class="card"><h2>${settings.preview}</h2>
<svg class="look" viewBox="0 0 320 132" role="img" aria-label="${settings.previewLabel(name)}">
<rect width="320" height="132" rx="10" fill="#fff" stroke="#ccc"/>
${logoUrl && html`<image href="${logoUrl}" x="16" y="14" width="40" height="40"/>`}
<text x="${logoUrl ? 68 : 16}" y="40" font-size="16" font-weight="700" fill="#1d1b16">${shown}</text>
<rect x="16" y="76" width="288" height="40" rx="8" fill="${color ?? COLOR}"/>
<text x="160" y="101" font-size="15" font-weight="600" fill="#fff" text-anchor="middle">
${settings.previewButton}</text></svg>
${exampleUrl && html`<p><a href="${exampleUrl}">${settings.example}</a></p>`}</section>`
}

function choice(
  { texts: { settings } }: DashboardLocale,
  { values }: SettingsModel,
  name: 'searchable' | 'receipts' | 'late',
): Html {
  return html`<div class="field"><label for="${name}">${settings.labels[name]}</label>
<p class="hint" id="${name}-hint">${settings.hints[name]}</p>
<select id="${name}" name="${name}" aria-describedby="${name}-hint">
${Object.entries(settings.choices[name]).map(
  ([value, label]) =>
    html`<option value="${value}"${value === values[name] && html` selected`}>${label}</option>
`,
)}</select></div>`
}

function logo({ texts: { settings } }: DashboardLocale, { look, wrong }: SettingsModel): Html {
  const isWrong = wrong.includes('logo')
  return html`<div class="field"><label for="file">${settings.logo}</label>
<p class="hint" id="file-hint">${settings.logoHint}</p>
<input id="file" name="file" type="file" accept="image/png,image/jpeg,image/webp,image/svg+xml"
aria-describedby="file-hint${isWrong && ' file-problem'}"${isWrong && html` aria-invalid="true"`}>
${isWrong && html`<p class="problem" id="file-problem">${settings.wrongLogo}</p>`}</div>
${
  look.logoUrl &&
  html`<p><label class="check"><input type="checkbox" name="removeLogo" value="yes">
${settings.removeLogo}</label></p>`
}`
}

/** What buyers see of a shop, and what happens to their payments. */
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
  const url = { type: 'url' } as const
  return html`<h1>${settings.title}</h1>
${isSaved && message('good', settings.saved)}
${problem && message('warn', problem)}
${preview(locale, model)}
<form method="post" action="/dashboard/settings" enctype="multipart/form-data">
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
</section>
<section class="card"><h2>${settings.payments}</h2>
${choice(locale, model, 'receipts')}
${!hasMail && values.receipts === 'yes' && message('warn', settings.noMail)}
${choice(locale, model, 'late')}
${input('tolerance', { inputMode: 'decimal' })}
${input('currency')}
${input('timeZone')}
</section>
<button>${frame.save}</button>
</form>`
}
