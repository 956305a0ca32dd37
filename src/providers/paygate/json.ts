/** JSON whose numbers are strings of the digits that were sent, so that no float loses any. */
export type ExactJson = null | boolean | string | ExactJson[] | { [key: string]: ExactJson }
export type ExactObject = { [key: string]: ExactJson }

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

const keepDigits: Reviver = (_key, value, context) => (typeof value === 'number' ? context.source : value)

/** Throws what JSON.parse throws. */
export const parseJson = (text: string): ExactJson =>
  JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])

export const isObject = (value: ExactJson | undefined): value is ExactObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
