import type { Json } from './metadata.ts'

/** The endpoints that checked an attempt, out of those of its chain. */
export interface Looks {
  /** names of the endpoints, without secrets; the most recent one is last */
  by: string[]
  /** number of consecutive checks by the last endpoint that found no unconfirmed payment */
  row: number
  /** true if a payment below the cursor waits for a second endpoint: these blocks are read again */
  again?: boolean
}

const none: Looks = { by: [], row: 0 }

export const isObject = (json: Json | undefined): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** Reads the endpoints that checked an attempt from the attempt's cursor. Attempts at providers have none. */
export function looksOf(cursor: Json): Looks {
  const looks = isObject(cursor) ? cursor.looks : undefined
  if (!isObject(looks) || !Array.isArray(looks.by) || typeof looks.row !== 'number') return none
  const by = looks.by.filter(name => typeof name === 'string')
  return { by, row: looks.row, again: looks.again === true }
}
