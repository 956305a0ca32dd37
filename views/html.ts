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

/** Text that may stand in a page as it is. Only `html` and `raw` make it. */
export type Html = Markup

type Printable = string | number | bigint | false | null | undefined | Html | readonly Printable[]

const escaped = (text: string): string => text.replace(/[&<>"']/g, letter => escapes[letter]!)

function print(value: Printable): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.toString()
  if (Array.isArray(value)) return value.map(print).join('')
  return escaped(String(value))
}

/** A piece of a page: all that is put in is escaped, for text and quoted attributes, but for other pieces. */
export const html = (strings: TemplateStringsArray, ...values: Printable[]): Html =>
  new Markup(String.raw({ raw: strings }, ...values.map(print)))

/** Text that we wrote ourselves and that must not be escaped. */
export const raw = (text: string): Html => new Markup(text)
