import { base58, base64 } from '@scure/base'
import type { Json } from '../../domain/metadata.ts'
import { malformedResponse } from '../rpc/json.ts'

export function readText(json: Json | undefined, expected: string): string {
  if (typeof json !== 'string') throw malformedResponse(expected)
  return json
}

/** What lies on an account, which is not exact above what a number holds. */
export function readLamports(json: Json | undefined): number {
  if (!Number.isInteger(json) || (json as number) < 0) throw malformedResponse('lamports')
  return json as number
}

const U64_MAX = (1n << 64n) - 1n

/** An amount of a token, which nodes write as a decimal text. */
export function readAmount(json: Json | undefined): bigint {
  const text = readText(json, 'an amount')
  if (!/^[0-9]{1,20}$/.test(text) || BigInt(text) > U64_MAX) throw malformedResponse('an amount')
  return BigInt(text)
}

export function readBase58(json: Json | undefined, bytes: number, expected: string): string {
  const text = readText(json, expected)
  if (text.length > 2 * bytes || !isBase58(text, bytes)) throw malformedResponse(expected)
  return text
}

function isBase58(text: string, bytes: number): boolean {
  try {
    return base58.decode(text).length === bytes
  } catch {
    return false
  }
}

export function readBase64(json: Json | undefined, expected: string): Uint8Array {
  try {
    return base64.decode(readText(json, expected))
  } catch {
    throw malformedResponse(expected)
  }
}
