import { type Html, html, raw } from '../html.ts'
import { type GlyphName, glyphs } from './glyphs.ts'

/** The icon of a coin or network: a white shape on a disc. */
export interface MarkModel {
  /** unique on the page */
  id: string
  color: string
  path: string
}

/** Marks are our own drawings. To look for characters to escape would take most of the time. */
const markSymbol = ({ id, color, path }: MarkModel): Html =>
  raw(`<symbol id="${id}" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${color}"/>
<path fill="#fff" d="${path}"/></symbol>`)

/** The marks that a part of a page uses, each once. */
export const sprite = (marks: readonly MarkModel[]): Html =>
  html`<svg class="sprite" aria-hidden="true">${marks.map(markSymbol)}</svg>`

/** A drawing as the URL of an image in a stylesheet. */
const imageOf = (name: GlyphName): string => {
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 24">${glyphs[name]}</svg>`
  const text = image.replaceAll('"', "'").replace(/[#%<>]/g, letter => encodeURIComponent(letter))
  return `url("data:image/svg+xml,${text}")`
}

/**
 * Icons of ways to pay, in the stylesheet: a browser loads it once, while pages are sent and compressed each
 * time.
 */
export const chipStyles = (Object.keys(glyphs) as GlyphName[])
  .map(name => `.i-${name} {\n  background-image: ${imageOf(name)};\n}\n`)
  .join('')

/** Icons repeat what the text beside them says. A coin without a sign gets its first letter. */
export const markIcon = (markId: string | null, name: string): Html =>
  markId === null
    ? html`<span class="icon initial" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`
    : raw(`<svg class="icon" aria-hidden="true"><use href="#${markId}"/></svg>`)

export const chip = (name: GlyphName): Html => raw(`<span class="chip i-${name}" aria-hidden="true"></span>`)

export const chevron: Html = raw(
  '<svg class="chevron" aria-hidden="true" viewBox="0 0 16 16"><path fill="none" stroke="currentColor"' +
    ' stroke-width="1.75" d="M3.5 6l4.5 4.5L12.5 6"/></svg>',
)
