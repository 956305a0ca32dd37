import { type Html, html, raw } from '../html.ts'
import { type GlyphName, glyphs } from './glyphs.ts'

/** The icon of a coin or network: a white shape on a disc. */
export interface MarkModel {
  color: string
  path: string
}

/** A rule of the stylesheet that shows a drawing as an image. */
const ruleOf = (className: string, size: string, drawing: string): string => {
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">${drawing}</svg>`
  const text = image.replaceAll('"', "'").replace(/[#%<>]/g, letter => encodeURIComponent(letter))
  return `.${className} {\n  background-image: url("data:image/svg+xml,${text}");\n}\n`
}

/** The class of an element with this mark. */
export const markClass = ({ color, path }: MarkModel): string => `m-${color.slice(1)}-${path.length}`

/**
 * Icons of ways to pay, as rules of the stylesheet: a browser loads the stylesheet once, while pages are sent
 * and compressed each time.
 */
export const chipStyles = (Object.keys(glyphs) as GlyphName[])
  .map(name => ruleOf(`i-${name}`, '36 24', glyphs[name]))
  .join('')

/** Icons of coins and networks, in the stylesheet for the same reason. */
export const markStyles = (marks: readonly MarkModel[]): string =>
  marks
    .map(mark => {
      const disc = `<circle cx="16" cy="16" r="16" fill="${mark.color}"/>`
      return ruleOf(markClass(mark), '32 32', `${disc}<path fill="#fff" d="${mark.path}"/>`)
    })
    .join('')

/**
 * The icon of a coin or network. Screen readers skip it, because it repeats the text beside it. A coin
 * without a mark gets its first letter.
 */
export const markIcon = (className: string | null, name: string): Html =>
  className === null
    ? html`<span class="icon initial" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`
    : raw(`<span class="icon ${className}" aria-hidden="true"></span>`)

export const chip = (name: GlyphName): Html => raw(`<span class="chip i-${name}" aria-hidden="true"></span>`)

export const chevron: Html = raw(
  '<svg class="chevron" aria-hidden="true" viewBox="0 0 16 16"><path fill="none" stroke="currentColor"' +
    ' stroke-width="1.75" d="M3.5 6l4.5 4.5L12.5 6"/></svg>',
)
