import { invalid } from './errors.ts'

/**
 * One line without control characters. Names stand in subjects of mails, in messages to chats and on
 * terminals, where a line break would make a part of them look like something else. A string, because the
 * OpenAPI document has it.
 */
export const ONE_LINE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'
export const ONE_LINE_IN_WORDS = 'must be one line without control characters'

const oneLine = new RegExp(ONE_LINE)

/** Checks a name that a person gives to something. Returns it without the spaces around it. */
export function checkNameOf(text: string, max: number, at: string): string {
  const name = text.trim()
  if (name === '' || [...name].length > max) throw invalid(at, `must have 1 to ${max} characters`)
  if (!oneLine.test(name)) throw invalid(at, ONE_LINE_IN_WORDS)
  return name
}
