import type { Json } from '../../domain/metadata.ts'
import { Malformed, type NetworkError } from '../port.ts'

export type JsonObject = { [key: string]: Json }

/** The error for a response that does not have the expected form. */
export const malformedResponse = (expected: string): NetworkError =>
  new Malformed(`returned a malformed response: expected ${expected}`)

export function readObject(json: Json | undefined, expected: string): JsonObject {
  if (json === undefined || json === null || typeof json !== 'object' || Array.isArray(json)) {
    throw malformedResponse(expected)
  }
  return json
}

export function readArray(json: Json | undefined, expected: string): Json[] {
  if (!Array.isArray(json)) throw malformedResponse(expected)
  return json
}

/** Reads a height, an index, a count or a time: a non-negative safe integer. Throws NetworkError. */
export function readCount(json: Json | undefined, expected: string): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0) throw malformedResponse(expected)
  return json as number
}
