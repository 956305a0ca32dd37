import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'

export type JsonObject = { [key: string]: Json }

/** What an endpoint told is not what it was asked for. */
export const malformedResponse = (expected: string): NetworkError =>
  new NetworkError(`answered with something else than ${expected}`)

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

/** A height, an index, a count or a time: from zero to what a number can hold exactly. */
export function readCount(json: Json | undefined, expected: string): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0) throw malformedResponse(expected)
  return json as number
}
