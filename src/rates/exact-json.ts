import { parseLossless } from '../domain/lossless-json.ts'

/** Parses JSON with its numbers as they are written, since a float would change them. */
export function parseExactly(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    throw new Error('is not JSON')
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What stands at the end of a path of keys and places; undefined where it ends before. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((rest, key) => {
    if (Array.isArray(rest)) return typeof key === 'number' ? rest[key] : undefined
    return isObject(rest) && Object.hasOwn(rest, key) ? rest[key] : undefined
  }, value)
}
