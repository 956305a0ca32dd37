import { invalid } from './errors.ts'

/** Max length of the name of a person who decided something. */
export const BY_MAX = 128

const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029'
/**
 * Characters that change the direction of the text that follows. Marks such as U+200F, which names in some
 * scripts need, do not change it.
 */
const DIRECTIONS = '\\u202a-\\u202e\\u2066-\\u2069'

/**
 * Pattern of one line without control characters and directional overrides. Names appear in subjects of
 * mails, in chat messages and on terminals, where such characters would make a part of a name look like
 * something else. It is a string, because the OpenAPI document contains it.
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

/** Turns a name into one line. Used where a refusal of the name would stop a buyer from ordering. */
export const oneLineOf = (text: string): string => text.replace(controls, ' ').replace(directions, '').trim()
