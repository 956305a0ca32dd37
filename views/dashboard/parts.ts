import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

/** A message above a page or a form: something worked, or has to be corrected. */
export const message = (tone: 'good' | 'warn', text: string): Html =>
  html`<p class="message ${tone}" role="${tone === 'warn' ? 'alert' : 'status'}">${text}</p>`

/** Why a form was not saved, with a way to what somebody else has saved meanwhile. */
export const staleMessage = ({ texts: { errors } }: DashboardLocale, text: string, url: string): Html =>
  html`<div class="message warn" role="alert"><p>${text}</p>
<p><a href="${url}" target="_blank">${errors.lookAgain}</a></p></div>`

/** A time in the zone of the shop. */
export const time = (locale: DashboardLocale, at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${locale.dateTime(at)}</time>`

/** What makes a part of a page update itself. An empty answer leaves it as it is. */
export const live = (url: string, seconds: number): Html =>
  html` data-live hx-get="${url}" hx-trigger="every ${seconds}s, refresh" hx-swap="outerMorph"`

/** The field of a form that names the shop of its page. */
export const SHOP_FIELD = 'shownShop'

/** The field of a form that says until when it can be sent without another proof of identity. */
export const STAMP_FIELD = 'provenUntil'

const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/**
 * The fields of a form that nobody sees. Every form that changes something begins with them: the first names
 * the shop of its page, so that the form changes no other one that was chosen since in another tab. The
 * second is there while the person need not prove again who they are. Values that are null or false are left
 * out.
 */
export const hidden = (
  { shopId, formStamp }: DashboardLocale,
  values: Readonly<Record<string, string | null | false>> = {},
): Html =>
  html`${shopId !== null && hiddenField(SHOP_FIELD, shopId)}${
    formStamp !== null && hiddenField(STAMP_FIELD, formStamp)
  }${Object.entries(values).map(
    ([name, value]) => value !== null && value !== false && hiddenField(name, value),
  )}`

/** What a field of a form needs. */
interface Field {
  name: string
  /** the name, unless several forms of a page have it */
  id?: string
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
export function field({ name, id = name, label, value, type = 'text', hint, problem, ...rest }: Field): Html {
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<input id="${id}" name="${name}" type="${type}" value="${value ?? ''}"
${rest.autocomplete && html` autocomplete="${rest.autocomplete}"`}
${rest.inputMode && html` inputmode="${rest.inputMode}"`}
${rest.isRequired && html` required`}
${described !== '' && html` aria-describedby="${described}"`}
${problem && html` aria-invalid="true" autofocus`}>
${problem && html`<p class="problem" id="${id}-problem">${problem}</p>`}
</div>`
}

/** What can be chosen, each with its label. */
export type Options = readonly (readonly [value: string, label: string])[]

interface Select {
  name: string
  label: string
  hint?: string | undefined
  value: string
  options: Options
  /** whether the browser may know the value better, as a time zone */
  isGuess?: boolean
  /** why the value was refused */
  problem?: string | undefined
}

/** A value that is its own label has no need of an attribute. */
const option = ([value, label]: Options[number], chosen: string): Html => {
  const own = value === label ? '' : html` value="${value}"`
  return html`<option${own}${value === chosen && html` selected`}>${label}</option>
`
}

/** A choice of a form. A value that is not among the options is kept, with what is wrong about it. */
export function select({ name, label, hint, value, options, isGuess, problem }: Select): Html {
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  const isKnown = options.some(([one]) => one === value)
  const all = isKnown ? options : [[value, value] as const, ...options]
  return html`<div class="field"><label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<select id="${name}" name="${name}"${described !== '' && html` aria-describedby="${described}"`}
${isGuess && html` data-guess`}${problem && html` aria-invalid="true" autofocus`}>
${all.map(one => option(one, value))}</select>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}</div>`
}

/** A link of `chips`. */
type Chip = readonly [url: string, text: string, isCurrent: boolean]

/** Links that choose what a page shows. */
export function chips(label: string, links: readonly Chip[]): Html {
  const items = links.map(
    ([url, text, isCurrent]) => html`<li><a href="${url}"${isCurrent && html` aria-current="true"`}>
${text}</a></li>
`,
  )
  return html`<ul class="chips" aria-label="${label}">
${items}</ul>`
}

/** The ways to the pages of a list before and after this one. */
export const pageLinks = (
  label: string,
  { newestUrl, olderUrl }: { newestUrl: string | null; olderUrl: string | null },
  texts: { newest: string; older: string },
): Html | null =>
  newestUrl || olderUrl
    ? html`<nav class="pages" aria-label="${label}">
${newestUrl ? html`<a href="${newestUrl}">${texts.newest}</a>` : html`<span></span>`}
${olderUrl && html`<a href="${olderUrl}">${texts.older}</a>`}</nav>`
    : null

/** A column of a table by its name. */
type Column = string | Html | { number: string }

const columnHead = (column: Column): Html =>
  typeof column === 'object' && 'number' in column
    ? html`<th scope="col" class="number">${column.number}</th>`
    : html`<th scope="col">${column}</th>`

/** A name that only screen readers say. */
export const unseen = (name: string): Html => html`<span class="unseen">${name}</span>`

/** A table that scrolls where it is too wide. With a label, the keyboard scrolls it too. */
export function table(
  label: string | null,
  columns: readonly Column[],
  rows: readonly Html[],
  kind = 'blocks',
): Html {
  const region = label !== null && html` role="region" aria-label="${label}" tabindex="0"`
  return html`<div class="scroll"${region}><table class="${kind}">
<thead><tr>${columns.map(columnHead)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

type Danger = keyof DashboardLocale['texts']['consequences']

/** What a button does and whether it can be undone. The button names it by `describedBy`. */
export const consequence = ({ texts: { consequences } }: DashboardLocale, name: Danger): Html =>
  html`<p class="hint" id="does-${name}">${consequences[name]}</p>`

/** Leads from a button to what it does. */
export const describedBy = (name: Danger): Html => html` aria-describedby="does-${name}"`

/** Text with a button that copies it. Without JavaScript it is selected by hand. */
export const copyable = ({ texts: { frame } }: DashboardLocale, text: string): Html =>
  html`<span class="copyable"><span class="code" dir="ltr">${text}</span>
<button type="button" class="quiet small" data-copy="${text}" hidden>${frame.copy}</button></span>`

/** A sentence whose list was cut short needs no full stop after the dots. */
export const endOnce = (sentence: string): string => sentence.replace(/…\.$/, '…')
