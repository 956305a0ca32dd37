import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

/** A message above a page or a form: something worked, or has to be corrected. */
export const message = (tone: 'good' | 'warn', text: string): Html =>
  html`<p class="message ${tone}" role="${tone === 'warn' ? 'alert' : 'status'}">${text}</p>`

/** A time in the zone of the shop. */
export const time = (locale: DashboardLocale, at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${locale.dateTime(at)}</time>`

/** What a field of a form needs. */
interface Field {
  name: string
  label: string
  value?: string | undefined
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date'
  hint?: string | undefined
  /** why the value was refused */
  problem?: string | undefined
  autocomplete?: string
  isRequired?: boolean
  inputMode?: 'decimal' | 'numeric'
}

/** An input with its label, its hint, and what is wrong with it. */
export function field({ name, label, value, type = 'text', hint, problem, ...rest }: Field): Html {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value ?? ''}"
${rest.autocomplete && html` autocomplete="${rest.autocomplete}"`}
${rest.inputMode && html` inputmode="${rest.inputMode}"`}
${rest.isRequired && html` required`}
${described !== '' && html` aria-describedby="${described}"`}
${problem && html` aria-invalid="true"`}>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
</div>`
}

/** Text with a button that copies it. Without JavaScript it is selected by hand. */
export const copyable = ({ texts: { frame } }: DashboardLocale, text: string): Html =>
  html`<span class="copyable"><span class="code" dir="ltr">${text}</span>
<button type="button" class="quiet small" data-copy="${text}" hidden>${frame.copy}</button></span>`
