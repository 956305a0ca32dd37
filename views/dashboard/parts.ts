import { type Html, html } from '../html.ts'
import type { DashboardLocale } from './locale.ts'

/** A message above a page or form about a success or a problem. */
export const message = (tone: 'good' | 'warn', text: string): Html =>
  html`<p class="message ${tone}" role="${tone === 'warn' ? 'alert' : 'status'}">${text}</p>`

/** Explains that a form was not saved, with a link to the changes that others have saved since. */
export const staleMessage = ({ texts: { errors } }: DashboardLocale, text: string, url: string): Html =>
  html`<div class="message warn" role="alert"><p>${text}</p>
<p><a href="${url}" target="_blank">${errors.lookAgain}</a></p></div>`

/** A time in the shop's zone. */
export const time = (locale: DashboardLocale, at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${locale.dateTime(at)}</time>`

/** Attributes that update a part of a page regularly. An empty response leaves it unchanged. */
export const live = (url: string, seconds: number): Html =>
  html` data-live hx-get="${url}" hx-trigger="every ${seconds}s, refresh" hx-swap="outerMorph"`

/** Name of the hidden field with the shop of the page. */
export const SHOP_FIELD = 'shownShop'

/** Name of the hidden field with the time until which the form needs no new proof of identity. */
export const STAMP_FIELD = 'provenUntil'

const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

/**
 * The hidden fields of a form. Every form that changes something begins with them. The first one names the
 * shop of its page, so that the form cannot change another shop that was chosen in another tab since. The
 * second one is present while the person need not prove again who they are. Values that are null or false are
 * left out.
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

/** The properties of a field. */
interface Field {
  name: string
  /** the name by default; must be given if several forms of a page have the same name */
  id?: string
  label: string
  value?: string | undefined
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date'
  hint?: string | undefined
  /** reason why the value was refused */
  problem?: string | undefined
  autocomplete?: string
  isRequired?: boolean
  inputMode?: 'decimal' | 'numeric'
}

/** An input with its label, hint and problem. */
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

/** The options of a choice, each with its label. */
export type Options = readonly (readonly [value: string, label: string])[]

interface Select {
  name: string
  label: string
  hint?: string | undefined
  value: string
  options: Options
  /** true if the script replaces the value with that of the browser, such as a time zone */
  isGuess?: boolean
  /** reason why the value was refused */
  problem?: string | undefined
}

/** Omits the value if it is equal to the label, which browsers then send. */
const option = ([value, label]: Options[number], chosen: string): Html => {
  const own = value === label ? '' : html` value="${value}"`
  return html`<option${own}${value === chosen && html` selected`}>${label}</option>
`
}

/** A choice. A value that is not an option is kept and shown with its problem. */
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

/** One of the links of `chips`. */
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

/** Links to the newest and to the next page of a list. */
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

/** The title of a column; `number` for a column of numbers. */
type Column = string | Html | { number: string }

const columnHead = (column: Column): Html =>
  typeof column === 'object' && 'number' in column
    ? html`<th scope="col" class="number">${column.number}</th>`
    : html`<th scope="col">${column}</th>`

/** Text for screen readers only. */
export const unseen = (name: string): Html => html`<span class="unseen">${name}</span>`

/** A table that scrolls if it is too wide. If it has a label, people can scroll it with the keyboard too. */
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

/** The effect of a button, and if it can be undone. `describedBy` refers a button to it. */
export const consequence = ({ texts: { consequences } }: DashboardLocale, name: Danger): Html =>
  html`<p class="hint" id="does-${name}">${consequences[name]}</p>`

/** The attribute of a button that refers to the text of `consequence`. */
export const describedBy = (name: Danger): Html => html` aria-describedby="does-${name}"`

/** Text with a button that copies it. Without JavaScript there is no button, and people select the text. */
export const copyable = ({ texts: { frame } }: DashboardLocale, text: string): Html =>
  html`<span class="copyable"><span class="code" dir="ltr">${text}</span>
<button type="button" class="quiet small" data-copy="${text}" hidden>${frame.copy}</button></span>`

/** Removes the full stop after the dots of a list that was cut short. */
export const endOnce = (sentence: string): string => sentence.replace(/…\.$/, '…')
