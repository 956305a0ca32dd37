/** JSON in which each number is a string: the digits as they were written. */
export type LosslessJson = null | boolean | string | LosslessJson[] | { [name: string]: LosslessJson }

/** Reads one number of a JSON text, from its digits and from the nearest double. */
type ReadNumber = (digits: string, value: number) => unknown

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown

/** Parses JSON with each number read by `readNumber`. Throws SyntaxError, and what `readNumber` throws. */
export function parseNumbers(text: string, readNumber: ReadNumber): unknown {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === 'number' ? readNumber(source, value) : value
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1])
}

/** Parses JSON with each number kept as its digits. Throws SyntaxError. */
export const parseLossless = (text: string): LosslessJson =>
  parseNumbers(text, digits => digits) as LosslessJson

/**
 * Parses JSON with the numbers of one property kept as their digits, and all others as numbers. A reviver
 * would take five times as long on a full block. The quoted name cannot occur inside a string, where its
 * quotes are escaped. Throws SyntaxError.
 */
export function parseLosslessProperty(text: string, name: string): unknown {
  const numbers = new RegExp(`"${name}"\\s*:\\s*(-?[0-9][0-9.eE+-]*)`, 'g')
  return JSON.parse(text.replace(numbers, `"${name}":"$1"`))
}
