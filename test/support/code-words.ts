/** A word of a file, with its line. */
export interface Word {
  line: number
  word: string
}

/** The names in a file's code, and the texts that people read. */
export interface SplitCode {
  names: Word[]
  texts: Word[]
}

const tokens = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<text>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")`,
    String.raw`(?<name>[A-Za-z_$][\w$]*)`,
    String.raw`(?<regexp>(?<=[=(,:[!&|?;]\s*|=>\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*)`,
    String.raw`(?<mark>[\x60{}])`,
  ].join('|'),
  'g',
)

/** Splits TypeScript or JavaScript. Template strings are texts, and the expressions inside them are code. */
export const splitCode = (source: string): SplitCode => splitterOf(source)

/** The source with spaces instead of comments, strings and regular expressions, so that only code is left. */
export function onlyCode(source: string): string {
  let code = ''
  for (const [from, to] of splitterOf(source).spans) {
    code += source.slice(code.length, from) + source.slice(from, to).replace(/[^\n]/g, ' ')
  }
  return code + source.slice(code.length)
}

function splitterOf(source: string): Splitter {
  const splitter = new Splitter(source)
  while (splitter.next());
  return splitter
}

class Splitter implements SplitCode {
  readonly names: Word[] = []
  readonly texts: Word[] = []
  /** the positions at which comments, strings and regular expressions begin and end */
  readonly spans: [from: number, to: number][] = []
  readonly #source: string
  readonly #lineAt: (position: number) => number
  #at = 0
  /** for each open template string, the number of open braces in its current expression */
  readonly #braces: number[] = []

  constructor(source: string) {
    this.#source = source
    this.#lineAt = lineCounter(source)
  }

  next(): boolean {
    tokens.lastIndex = this.#at
    const match = tokens.exec(this.#source)
    if (!match) return false
    this.#at = tokens.lastIndex
    const { comment, text, name, mark } = match.groups ?? {}
    if (!name && !mark) this.spans.push([match.index, this.#at])
    const line = this.#lineAt(match.index)
    if (name) this.names.push({ line, word: name })
    else if (comment ?? text) this.texts.push({ line, word: match[0] })
    else if (mark === '`') this.#template(line)
    else if (mark) this.#brace(mark, line)
    return true
  }

  #brace(mark: string, line: number): void {
    const open = this.#braces.pop()
    if (open === undefined) return
    const left = mark === '{' ? open + 1 : open - 1
    if (left > 0) this.#braces.push(left)
    else this.#template(line)
  }

  /** Reads a template string, or the rest of one, up to its next expression. */
  #template(line: number): void {
    const end = templateEnd(this.#source, this.#at)
    this.texts.push({ line, word: this.#source.slice(this.#at, end) })
    this.spans.push([this.#at, end])
    const hasExpression = this.#source[end] === '$'
    if (hasExpression) this.#braces.push(1)
    this.#at = end + (hasExpression ? 2 : 1)
  }
}

/** The end of a template string, or of the part before its next expression. */
function templateEnd(source: string, start: number): number {
  let at = start
  while (at < source.length && source[at] !== '`' && !(source[at] === '$' && source[at + 1] === '{')) {
    at += source[at] === '\\' ? 2 : 1
  }
  return at
}

/** Counts the lines up to a position; positions must only grow. */
function lineCounter(source: string): (position: number) => number {
  let line = 1
  let counted = 0
  return position => {
    for (; counted < position; counted++) if (source[counted] === '\n') line++
    return line
  }
}

/** Both "openCryptoAttempt" and "open-crypto-attempt" give "open crypto attempt". */
export const wordsOfName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
