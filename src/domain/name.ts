import { invalid } from './errors.ts'

/** Length of the name of who decided something. */
export const BY_MAX = 128

const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029'
/** They turn the text that follows. Marks such as U+200F, which names in some scripts need, do not. */
const DIRECTIONS = '\\u202a-\\u202e\\u2066-\\u2069'

/**
 * One line without control characters and directional overrides. Names stand in subjects of mails, in
 * messages to chats and on terminals, where those would make a part of them look like something else. A
 * string, because the OpenAPI document has it.
 */
export const ONE_LINE = `^[^${CONTROLS}${DIRECTIONS}]*$`
export const ONE_LINE_IN_WORDS = 'must be one line without control characters or directional overrides'

const oneLine = new RegExp(ONE_LINE)
const controls = new RegExp(`[${CONTROLS}]+`, 'g')
const directions = new RegExp(`[${DIRECTIONS}]`, 'g')

/** Checks a name that a person gives to something. Returns it without the spaces around it. */
export function checkNameOf(text: string, max: number, at: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > max) throw invalid(at, `must have 1 to ${max} characters`)
  if (!oneLine.test(name)) throw invalid(at, ONE_LINE_IN_WORDS)
  return name
}

/** A name as one line, for names that are not worth a refusal: a buyer would not order. */
export const oneLineOf = (text: string): string => text.replace(controls, ' ').replace(directions, '').trim()
