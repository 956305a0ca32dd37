const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Text that is safe to put in a page. Only `html` and `raw` create it. */
export type Html = Markup

type Printable = string | number | bigint | false | null | undefined | Html | readonly Printable[]

const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => escapes[letter]!)

function print(value: Printable): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.toString()
  if (Array.isArray(value)) return value.map(print).join('')
  return escaped(String(value))
}

/** A piece of a page. Values are escaped for text and quoted attributes, except other pieces. */
export const html = (strings: TemplateStringsArray, ...values: Printable[]): Html =>
  new Markup(String.raw({ raw: strings }, ...values.map(print)))

/** Trusted text that is not escaped. */
export const raw = (text: string): Html => new Markup(text)
