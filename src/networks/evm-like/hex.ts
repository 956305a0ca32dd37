import type { Json } from '../../domain/metadata.ts'
import { malformedResponse } from '../rpc/json.ts'

function matching(json: Json | undefined, pattern: RegExp, expected: string): string {
  if (typeof json !== 'string' || !pattern.test(json)) throw malformedResponse(expected)
  return json.toLowerCase()
}

export const readQuantity = (json: Json | undefined): bigint =>
  BigInt(matching(json, /^0x[0-9a-f]{1,64}$/i, 'a quantity'))

/** Reads a block height, an index or a time in seconds. Throws NetworkError if it is not a safe integer. */
export function readNumber(json: Json | undefined): number {
  const number = Number(readQuantity(json))
  if (!Number.isSafeInteger(number)) throw malformedResponse('a number of this size')
  return number
}

export const readWord = (json: Json | undefined): string => matching(json, /^0x[0-9a-f]{64}$/i, '32 bytes')

export const readAddress = (json: Json | undefined): string =>
  matching(json, /^0x[0-9a-f]{40}$/i, 'an address')

export const readBytes = (json: Json | undefined): string =>
  matching(json, /^0x(?:[0-9a-f]{2})*$/i, 'hexadecimal bytes')

export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`

/** Writes an address as an indexed field of a log, padded to 32 bytes. */
export const toTopic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
