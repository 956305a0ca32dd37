import { base58, base64 } from '@scure/base'
import type { Json } from '../../domain/metadata.ts'
import { malformedResponse } from '../rpc/json.ts'

export function readString(json: Json | undefined, expected: string): string {
  if (typeof json !== 'string') throw malformedResponse(expected)
  return json
}

/** Reads a balance in lamports. A number above the safe integers is not exact. Throws NetworkError. */
export function readLamports(json: Json | undefined): number {
  if (typeof json !== 'number' || !Number.isInteger(json) || json < 0) throw malformedResponse('lamports')
  return json
}

const U64_MAX = (1n << 64n) - 1n

/** Reads an amount of a token, which nodes write as a decimal string. Throws NetworkError. */
export function readAmount(json: Json | undefined): bigint {
  const digits = readString(json, 'an amount')
  if (!/^[0-9]{1,20}$/.test(digits) || BigInt(digits) > U64_MAX) throw malformedResponse('an amount')
  return BigInt(digits)
}

export function readBase58(json: Json | undefined, bytes: number, expected: string): string {
  const encoded = readString(json, expected)
  if (encoded.length > 2 * bytes || !isBase58(encoded, bytes)) throw malformedResponse(expected)
  return encoded
}

function isBase58(encoded: string, bytes: number): boolean {
  try {
    return base58.decode(encoded).length === bytes
  } catch {
    return false
  }
}

export function readBase64(json: Json | undefined, expected: string): Uint8Array {
  try {
    return base64.decode(readString(json, expected))
  } catch {
    throw malformedResponse(expected)
  }
}
