import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'

/** A block by its height; its hash is null where an endpoint does not tell it. */
export interface Place {
  height: number
  hash: string | null
}

/** Where the watch of one address goes on. Everything at or below `height` is final, and was told. */
export interface Cursor extends Place {
  /** older places of it, the newest last: what a reorganisation hardly reaches */
  anchors: Place[]
  /** what happened in this block and before is not counted */
  opened: number
  /** the tip of the last look; a node that does not know it is behind */
  seen: Place
  /** up to which height payments were told */
  told: number
  /** unconfirmed transactions that were told */
  pending: string[]
  /** how the ids of those begin that were there before the address was given out, and may be mined yet */
  before: string[]
}

/**
 * So many newest blocks are always looked at again: they may be replaced, and many a server tells of a block
 * before it tells what the block paid to an address.
 */
export const UNSURE_BLOCKS = 6

/** More unconfirmed payments than a buyer makes; one that is left out is found again. */
const PENDING_MAX = 16
const ANCHORS_MAX = 2
/** So many digits of a transaction's id tell it apart from all others of one address. */
const ID_DIGITS = 16

const printPlace = ({ height, hash }: Place): Json => [height, hash]

export const shortId = (txId: string): string => txId.slice(0, ID_DIGITS)

export const printCursor = (cursor: Cursor): Json => ({
  at: printPlace(cursor),
  anchors: cursor.anchors.slice(-ANCHORS_MAX).map(printPlace),
  opened: cursor.opened,
  seen: printPlace(cursor.seen),
  told: cursor.told,
  pending: cursor.pending.slice(0, PENDING_MAX),
  before: cursor.before,
})

/** Throws NetworkFault for what is no cursor of ours. */
export function readCursor(json: Json): Cursor {
  try {
    const { at, anchors, opened, seen, told, pending, before } = json as { [key: string]: Json }
    return {
      ...placeOf(at),
      anchors: (anchors as Json[]).map(placeOf),
      opened: heightOf(opened),
      seen: placeOf(seen),
      told: heightOf(told),
      pending: textsOf(pending),
      before: textsOf(before),
    }
  } catch {
    throw new NetworkError('a stored cursor cannot be read')
  }
}

function heightOf(json: Json | undefined): number {
  if (!Number.isSafeInteger(json)) throw new TypeError('a height is an integer')
  return json as number
}

function placeOf(json: Json | undefined): Place {
  const [height, hash] = json as Json[]
  if (hash !== null && typeof hash !== 'string') throw new TypeError('a hash is a text')
  return { height: heightOf(height), hash }
}

function textsOf(json: Json | undefined): string[] {
  if (!Array.isArray(json) || !json.every(item => typeof item === 'string')) {
    throw new TypeError('ids are texts')
  }
  return json as string[]
}
