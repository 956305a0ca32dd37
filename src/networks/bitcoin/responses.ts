import type { Json } from '../../domain/metadata.ts'
import { malformedResponse } from '../rpc/json.ts'

const HEIGHT_MAX = 0x7fffffff
const SECONDS_MAX = 0xffffffff

export const isHash = (json: Json | undefined): json is string =>
  typeof json === 'string' && /^[0-9a-f]{64}$/.test(json)

export function readHash(json: Json | undefined): string {
  if (!isHash(json)) throw malformedResponse('a hash')
  return json
}

export function readHeight(json: Json | undefined): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0 || (json as number) > HEIGHT_MAX) {
    throw malformedResponse('a height')
  }
  return json as number
}

/** Reads seconds since 1970 UTC, and returns milliseconds. Throws NetworkError. */
export function readTime(json: Json | undefined): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0 || (json as number) > SECONDS_MAX) {
    throw malformedResponse('a time')
  }
  return (json as number) * 1000
}

export function readScript(json: Json | undefined): string {
  if (typeof json !== 'string' || !/^([0-9a-f]{2})*$/.test(json)) throw malformedResponse('an output script')
  return json
}
