/** A problem with a file, as words that follow "must". */
export class SvgProblem extends Error {}

export type Token =
  | { kind: 'open'; name: string; attributes: Map<string, string>; isEmpty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

// The patterns are sticky, and none can match a text in two ways. Parsing therefore takes linear time.
const declaration = /<\?xml\s[^<>?]*\?>/y
const doctype = /<!DOCTYPE\s+svg(?:\s+PUBLIC\s+"[^"<>[\]]*"\s+"[^"<>[\]]*")?\s*>/y
const opening = /<([A-Za-z][\w.:-]*)/y
const attribute = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const openingEnd = /\s*(\/?)>/y
const closing = /<\/([A-Za-z][\w.:-]*)\s*>/y
const text = /[^<]+/y

const isControl = (code: number): boolean => (code < 32 && ![9, 10, 13].includes(code)) || code === 127

/** A position in a text, which advances with each match. */
class Cursor {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#source.length
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found) this.#at = pattern.lastIndex
    return found
  }

  takeComment(): boolean {
    const end = this.#source.startsWith('<!--', this.#at) ? this.#source.indexOf('-->', this.#at + 4) : -1
    if (end >= 0) this.#at = end + 3
    return end >= 0
  }
}

function takeAttributes(cursor: Cursor): Map<string, string> {
  const found = new Map<string, string>()
  for (let next = cursor.take(attribute); next; next = cursor.take(attribute)) {
    const [, name = '', quoted, single] = next
    if (found.has(name)) throw new SvgProblem(`have each attribute once (${name})`)
    found.set(name, quoted ?? single ?? '')
  }
  return found
}

function takeElement(cursor: Cursor, name: string): Token {
  const attributes = takeAttributes(cursor)
  const end = cursor.take(openingEnd)
  if (!end) throw new SvgProblem(`be well-formed XML (<${name}>)`)
  return { kind: 'open', name, attributes, isEmpty: end[1] === '/' }
}

function takeToken(cursor: Cursor): Token {
  const open = cursor.take(opening)
  if (open) return takeElement(cursor, open[1] ?? '')
  const close = cursor.take(closing)
  if (close) return { kind: 'close', name: close[1] ?? '' }
  const other = cursor.take(text)
  if (other) return { kind: 'text', text: other[0] }
  throw new SvgProblem('contain only elements: no entities, CDATA or processing instructions')
}

/** Parses the small part of XML that drawings need. Throws SvgProblem for anything else. */
export function* tokensOf(source: string): Generator<Token> {
  if ([...source].some(letter => isControl(letter.charCodeAt(0))))
    throw new SvgProblem('contain no control characters')
  const cursor = new Cursor(source)
  cursor.take(declaration)
  let mayHaveDoctype = true
  while (!cursor.isAtEnd) {
    if (cursor.takeComment() || (mayHaveDoctype && cursor.take(doctype))) continue
    const token = takeToken(cursor)
    if (token.kind === 'open') mayHaveDoctype = false
    yield token
  }
}
