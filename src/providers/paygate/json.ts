/** JSON as it was told, each number as the digits that were written: no float ever stands in between. */
export type Told = null | boolean | string | Told[] | { [key: string]: Told }
export type ToldObject = { [key: string]: Told }

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

const keepDigits: Reviver = (_key, value, context) => (typeof value === 'number' ? context.source : value)

/** Throws whatever JSON.parse throws. */
export const readJson = (text: string): Told =>
  JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])

export const isObject = (told: Told | undefined): told is ToldObject =>
  typeof told === 'object' && told !== null && !Array.isArray(told)
