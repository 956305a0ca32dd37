import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'
import { field, message } from './parts.ts'

export type SettingsField = 'name' | 'supportEmail' | 'returnUrl' | 'timeZone'

interface SettingsModel {
  values: Record<SettingsField, string>
  /** the fields to correct */
  wrong: readonly string[]
  problem: string | null
  isSaved: boolean
}

/** What buyers see of a shop. */
export function settingsBody(locale: DashboardLocale, model: SettingsModel): Html {
  const { settings, frame } = locale.texts
  const { values, wrong, problem, isSaved } = model
  const input = (name: SettingsField, type: 'text' | 'email' | 'url') =>
    field({
      name,
      label: settings.labels[name],
      hint: settings.hints[name],
      value: values[name],
      type,
      problem: wrong.includes(name) ? settings.wrong[name] : undefined,
      isRequired: name === 'name',
    })
  return html`<h1>${settings.title}</h1>
${isSaved && message('good', settings.saved)}
${problem && message('warn', problem)}
<form method="post" action="/dashboard/settings" class="card">
${input('name', 'text')}
${input('supportEmail', 'email')}
${input('returnUrl', 'url')}
${input('timeZone', 'text')}
<button>${frame.save}</button>
</form>`
}
