import { invalid } from './errors.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Metadata = { [key: string]: Json }

const METADATA_DEPTH = 3
const METADATA_BYTES = 16 * 1024

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Refuses metadata that is nested too deeply, too large, or has keys such as `__proto__`. */
export function checkMetadata(metadata: Metadata, path = '/metadata'): Metadata {
  walk(metadata, 1, path)
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > METADATA_BYTES) {
    throw invalid(path, `must be at most ${METADATA_BYTES} bytes as JSON`)
  }
  return metadata
}

function walk(value: Json, depth: number, path: string): void {
  if (value === null || typeof value !== 'object') return
  if (depth > METADATA_DEPTH) throw invalid(path, `must be nested at most ${METADATA_DEPTH} levels deep`)
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key))
      throw invalid(path, 'must not have the key __proto__, constructor or prototype')
    walk((value as Metadata)[key] as Json, depth + 1, path)
  }
}
