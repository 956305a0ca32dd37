import type { Json } from '../../domain/metadata.ts'
import { type JsonObject, malformedResponse, readCount, readObject } from '../rpc/json.ts'

/** Reads a list, which daemons leave out if it is empty. Throws NetworkError. */
export function readList(json: Json | undefined, expected: string): Json[] {
  if (json === undefined) return []
  if (!Array.isArray(json)) throw malformedResponse(expected)
  return json
}

export function readByte(json: Json | undefined, expected: string): number {
  const byte = readCount(json, expected)
  if (byte > 0xff) throw malformedResponse(expected)
  return byte
}

export function readString(json: Json | undefined, expected: string): string {
  if (typeof json !== 'string') throw malformedResponse(expected)
  return json
}

export function readHex(json: Json | undefined, bytes: number, expected: string): string {
  if (typeof json !== 'string' || json.length !== 2 * bytes || !/^[0-9a-f]*$/.test(json)) {
    throw malformedResponse(expected)
  }
  return json
}

export const readHash = (json: Json | undefined, expected = 'a hash'): string => readHex(json, 32, expected)

export function parseObject(text: string, expected: string): JsonObject {
  try {
    return readObject(JSON.parse(text) as Json, expected)
  } catch {
    throw malformedResponse(expected)
  }
}
