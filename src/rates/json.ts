import { parseLossless } from '../domain/lossless-json.ts'
import { SourceError } from './request.ts'

/** Parses JSON with each number as the string of its digits: a float would change them. */
export function parseJson(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    throw new SourceError('is not JSON', 'malformed')
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** The value at the end of a path of properties and indices; undefined if the path ends before. */
export const valueAt = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((parent, key) => {
    if (Array.isArray(parent)) return typeof key === 'number' ? parent[key] : undefined
    return isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined
  }, value)
