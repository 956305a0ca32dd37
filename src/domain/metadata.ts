import { invalid } from './errors.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Metadata = { [key: string]: Json }

const METADATA_DEPTH = 3
const METADATA_BYTES = 16 * 1024

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Refuses metadata that nests deeper than permitted, weighs too much, or holds prototype-style keys. */
export function checkMetadata(metadata: Metadata, path = '/metadata'): Metadata {
  walk(metadata, 1, path)
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > METADATA_BYTES) {
    throw invalid(path, `must be at most ${METADATA_BYTES} bytes as JSON`)
  }
  return metadata
}

function walk(value: Json, depth: number, path: string): void {
  if (value === null || typeof value !== 'object') return
  if (depth > METADATA_DEPTH) throw invalid(path, `must nest to at most ${METADATA_DEPTH} levels`)
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key))
      throw invalid(path, 'must not use __proto__, constructor or prototype as a key')
    walk((value as Metadata)[key] as Json, depth + 1, path)
  }
}
