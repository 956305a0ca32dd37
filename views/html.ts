const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

class Markup {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text
  }
}

/** Text that is safe to put in a page. Only `html` and `raw` create it. */
export type Html = Markup

type Printable = string | number | bigint | false | null | undefined | Html | readonly Printable[]

const special = /[&<>"']/

/** Escapes a text if it has special characters. Most texts have none. */
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[&<>"']/g, letter => escapes[letter]!) : text

function print(value: Printable): string {
  if (typeof value === 'string') return escaped(value)
  if (value instanceof Markup) return value.toString()
  if (value === null || value === undefined || value === false) return ''
  if (!Array.isArray(value)) return escaped(String(value))
  let text = ''
  for (const item of value) text += print(item)
  return text
}

/**
 * A piece of a page. Values are escaped for text and quoted attributes, except other pieces. The two usual
 * kinds of values are printed here, which is faster: a shorter function would be compiled again into each
 * caller.
 */
export function html(strings: readonly string[], ...values: Printable[]): Html {
  let text = strings[0] ?? ''
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'string') text += escaped(value)
    else if (value instanceof Markup) text += value.toString()
    else text += print(value)
    text += strings[at + 1]
  }
  return new Markup(text)
}

/**
 * Joins the parts of a text or piece that many pages contain. The engine keeps a text as a tree of the parts
 * from which it was made, and would walk through that tree again for each page.
 */
export function joined<Drawn>(drawn: Drawn): Drawn {
  String(drawn).charCodeAt(0)
  return drawn
}

/** Trusted text, which is not escaped. */
export const raw = (text: string): Html => new Markup(text)
