import { pluralRules } from '../formats.ts'
import { type Html, html } from '../html.ts'

/** A value in a text. Pieces of a page go through `html` of a message. */
export type Value = string | number

/** A text with values, called with their names: `page.contact({ shop })`. */
interface Message<Values> {
  /** The text, unescaped. */
  (values: Values): string
  /** The text as a piece of a page: its words are escaped, and a value may be a piece, such as a link. */
  html(values: { [Name in keyof Values]: Values[Name] | Html }): Html
}

/** Calls a message; returns a plain text as it is. */
export const filled = <Values>(text: string | ((values: Values) => string), values: Values): string =>
  typeof text === 'string' ? text : text(values)

type Join<Result> = (words: readonly string[], ...values: Value[]) => Result
type Forms<Result> = { [form: string]: () => Result; other: () => Result }

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * Returns true for values that are isolated because they may have the other direction, by direction of the
 * language.
 */
const isForeign = {
  ltr: (value: unknown): boolean => typeof value === 'string' && rightToLeft.test(value),
  rtl: (value: unknown): boolean => typeof value !== 'number',
  /** The dashboard marks names in its pages by itself. */
  none: (): boolean => false,
}

const COUNTS_MAX = 1000
/**
 * The plural categories of small counts in each language, because finding one takes longer than a message.
 */
const categories = new Map<string, string[]>()

function categoryOf(tag: string, count: number): string {
  if (!Number.isInteger(count) || count < 0 || count >= COUNTS_MAX) return pluralRules(tag).select(count)
  const known = categories.get(tag) ?? []
  categories.set(tag, known)
  known[count] ??= pluralRules(tag).select(count)
  return known[count]
}

/** The form for a number: the form for exactly this number, or for its plural category in the language. */
export const plural = <Result>(tag: string, count: number, forms: Forms<Result>): Result =>
  (forms[`=${count}`] ?? forms[categoryOf(tag, count)] ?? forms.other)()

export const select = <Result>(value: unknown, forms: Forms<Result>): Result =>
  (forms[String(value)] ?? forms.other)()

/** Makes the functions of a language's messages, which join words and values. */
export function messagesOf(direction: keyof typeof isForeign) {
  const isolated = isForeign[direction]
  const join: Join<string> = (words, ...values) => {
    let text = words[0] ?? ''
    for (let at = 0; at < values.length; at++) {
      const value = values[at]
      text += isolated(value) ? FIRST_STRONG_ISOLATE + value + POP_ISOLATE : value
      text += words[at + 1]
    }
    return text
  }
  const joinPieces: Join<Html> = (words, ...values) => {
    const pieces = values.map((value, at) => {
      const piece = isolated(value) ? [FIRST_STRONG_ISOLATE, value, POP_ISOLATE] : value
      return [piece, words[at + 1]]
    })
    return html`${words[0]}${pieces}`
  }
  return <Values extends object>(
    say: <Result>(values: Values, join: Join<Result>) => Result,
  ): Message<Values> =>
    Object.assign((values: Values) => say(values, join), {
      html: (values: object) => say(values as Values, joinPieces),
    })
}
