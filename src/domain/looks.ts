import type { Json } from './metadata.ts'

/** Which endpoints of a chain looked at an attempt. */
export interface Looks {
  /** the names of the endpoints, which contain no secret; the one that looked last is at the end */
  by: string[]
  /** how often that one has looked in a row and seen nothing that is still to be confirmed */
  row: number
}

const none: Looks = { by: [], row: 0 }

export const isObject = (json: Json | undefined): json is { [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** The looks that are noted in the cursor of an attempt. A provider's attempts have none. */
export function looksOf(cursor: Json): Looks {
  const looks = isObject(cursor) ? cursor.looks : undefined
  if (!isObject(looks) || !Array.isArray(looks.by) || typeof looks.row !== 'number') return none
  return { by: looks.by.filter(name => typeof name === 'string'), row: looks.row }
}
