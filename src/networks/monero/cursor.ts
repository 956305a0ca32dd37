import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'

/** Where the watch of one address goes on. Everything at or below `height` is final, and was told. */
export interface Cursor {
  height: number
  hash: string
  /** where a chain is read again that was replaced below `height` */
  opened: number
  /** the newest block that was seen */
  seen: number
  /** the beginnings of the hashes of the newest blocks that were seen, the last of them that of `seen` */
  trail: string[]
  /** the beginnings of the one-time keys that came to the address at or below `height` */
  keys: string[]
}

/** Of a hash or key: long enough to tell them apart. */
const BEGINNING = 16
const TRAIL_MAX = 24

/** The watch does not go on above so many, so that nobody can swell a cursor by many small payments. */
export const KEYS_MAX = 200

export const beginning = (hex: string): string => hex.slice(0, BEGINNING)

export const printCursor = ({ trail, ...rest }: Cursor): Json => ({ ...rest, trail: trail.slice(-TRAIL_MAX) })

/** Throws NetworkFault for what is no cursor of ours. */
export function readCursor(json: Json): Cursor {
  try {
    const { height, hash, opened, seen, trail, keys } = json as { [key: string]: Json }
    return {
      height: heightOf(height),
      hash: textOf(hash),
      opened: heightOf(opened),
      seen: heightOf(seen),
      trail: (trail as Json[]).map(textOf),
      keys: (keys as Json[]).map(textOf),
    }
  } catch {
    throw new NetworkError('a stored cursor cannot be read')
  }
}

/** Whether a block belongs to the chain that was seen; null where it is not known. */
export function isSeen({ seen, trail }: Cursor, block: { height: number; hash: string }): boolean | null {
  const known = block.height > seen ? undefined : trail.at(block.height - seen - 1)
  return known === undefined ? null : known === beginning(block.hash)
}

function heightOf(json: Json | undefined): number {
  if (!Number.isSafeInteger(json)) throw new TypeError('a height is an integer')
  return json as number
}

function textOf(json: Json | undefined): string {
  if (typeof json !== 'string') throw new TypeError('a hash is a text')
  return json
}
