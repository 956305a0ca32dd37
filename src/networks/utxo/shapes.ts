import type { Json } from '../../domain/metadata.ts'
import { NetworkFault } from '../port.ts'

export type JsonObject = { [key: string]: Json }

/** What an endpoint answers instead of what it was asked for. */
export const garbled = (wanted: string): NetworkFault => new NetworkFault(`does not answer with ${wanted}`)

const HEIGHT_MAX = 0x7fffffff
const SECONDS_MAX = 0xffffffff

export function readObject(json: Json | undefined, wanted: string): JsonObject {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) throw garbled(wanted)
  return json
}

export function readArray(json: Json | undefined, wanted: string): Json[] {
  if (!Array.isArray(json)) throw garbled(wanted)
  return json
}

export const isHash = (json: Json | undefined): json is string =>
  typeof json === 'string' && /^[0-9a-f]{64}$/.test(json)

export function readHash(json: Json | undefined): string {
  if (!isHash(json)) throw garbled('a hash')
  return json
}

export function readHeight(json: Json | undefined): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0 || (json as number) > HEIGHT_MAX) {
    throw garbled('a height')
  }
  return json as number
}

/** Seconds since 1970, answered as milliseconds. */
export function readTime(json: Json | undefined): number {
  if (!Number.isSafeInteger(json) || (json as number) < 0 || (json as number) > SECONDS_MAX) {
    throw garbled('a time')
  }
  return (json as number) * 1000
}

export function readScript(json: Json | undefined): string {
  if (typeof json !== 'string' || !/^([0-9a-f]{2})*$/.test(json)) throw garbled('an output script')
  return json
}
