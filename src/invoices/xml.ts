const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that no XML document may contain, even escaped. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu

class Xml {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** A piece of an XML document. */
export type { Xml }

type Content = string | number | false | null | undefined | Xml | readonly Content[]

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(forbidden, '')
    .replace(/[&<>"]/g, letter => escapes[letter] ?? letter)

function print(content: Content): string {
  if (content === null || content === undefined || content === false) return ''
  if (content instanceof Xml) return content.text
  return typeof content === 'object' ? content.map(print).join('') : escaped(String(content))
}

/** An element with attributes; null if it has no content, since EN 16931 allows no empty elements. */
export function elementWith(
  name: string,
  attributes: Record<string, string>,
  ...content: Content[]
): Xml | null {
  const inside = print(content)
  if (inside === '') return null
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return new Xml(`<${name}${named.join('')}>${inside}</${name}>\n`)
}

/** An element; null if it has no content. */
export const element = (name: string, ...content: Content[]): Xml | null => elementWith(name, {}, ...content)

export const documentOf = (root: Xml | null): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root?.text ?? ''}`
