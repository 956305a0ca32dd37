import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Static, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import { readCursor as readStored, writeCursor } from '../rpc/cursor.ts'

const Height = Type.Integer({ minimum: 0, maximum: 0x7fffffff })

/** A block by its height. The hash is null where an endpoint does not report hashes by height. */
const BlockRef = Type.Object({ height: Height, hash: Type.Union([Type.String(), Type.Null()]) })
export type BlockRef = Static<typeof BlockRef>

/** A payment that was reported in a block. */
const Listed = Type.Object({
  /** the short id of its transaction */
  id: Type.String(),
  height: Height,
  /** a fingerprint of the block's hash */
  block: Type.String(),
  final: Type.Boolean(),
})
export type Listed = Static<typeof Listed>

/** The sum of payments in blocks: of those before the watch began, and of those up to the cursor's block. */
const Counted = Type.Object({
  before: Type.String({ pattern: '^[0-9]{1,24}$' }),
  /** null where it is unknown, since the chain replaced the cursor's block */
  sum: Type.Union([Type.String({ pattern: '^[0-9]{1,24}$' }), Type.Null()]),
})

const Instant = Type.Integer({ minimum: 0 })

/** Where the watch of one address continues. All payments up to `block` are final and were reported. */
const Cursor = Type.Object({
  block: BlockRef,
  /** up to where a node was read that reports whole blocks; missing before a newer version wrote it */
  blocksTo: Type.Optional(Height),
  /** earlier values of `block`, the newest last, which a reorganisation hardly ever reaches */
  anchors: Type.Array(BlockRef),
  /** payments in this block and below do not count */
  startHeight: Height,
  /** when the watch began, milliseconds since 1970 UTC */
  startedAt: Instant,
  /** the tip of the last scan; a node that does not know it is behind */
  tip: BlockRef,
  /** when that tip was last reported; what one node said of its height is forgotten after a while */
  tipAt: Instant,
  /** the newest payments in blocks above `listedAbove` */
  listed: Type.Array(Listed),
  listedAbove: Height,
  /** since when every node leaves out a payment in `listed` whose block still exists; null if none does */
  doubtedSince: Type.Union([Instant, Type.Null()]),
  /** what was counted, to compare with the sum that an endpoint reports; null where none reported it */
  counted: Type.Union([Counted, Type.Null()]),
  /** since when every node reports a greater sum than the payments that it lists; null if none does */
  shortSince: Type.Union([Instant, Type.Null()]),
  /** ids of unconfirmed transactions that were reported */
  pending: Type.Array(Type.String()),
  /** short ids of transactions older than the watch which are not below `startHeight` */
  ignored: Type.Array(Type.String()),
})
export type Cursor = Static<typeof Cursor>

/**
 * Every scan reads this many of the newest blocks again. They may be replaced, and many servers report a
 * block before they report its payments to an address.
 */
export const UNSURE_BLOCKS = 6

/** More unconfirmed payments than a buyer makes. One that is left out is found again. */
const PENDING_MAX = 16
const ANCHORS_MAX = 2
/** Enough digits of a transaction id to be unique at one address. */
const ID_DIGITS = 16

/** Enough for the payments of a buyer. Below the oldest one, a scan does not look for others. */
const LISTED_MAX = 24

export const shortId = (txId: string): string => txId.slice(0, ID_DIGITS)

/** Short, since the hashes of some chains begin with many zeros. */
export const fingerprintOf = (hash: string): string =>
  bytesToHex(sha256(utf8ToBytes(hash))).slice(0, ID_DIGITS)

/** Throws NetworkError for a stored cursor that does not match the schema. */
export const readCursor = (stored: Json): Cursor => readStored(Cursor, stored)

export function printCursor(cursor: Cursor): Json {
  const listed = cursor.listed.toSorted((a, b) => b.height - a.height)
  const dropped = listed[LISTED_MAX]
  const floor = dropped ? Math.min(dropped.height, cursor.block.height) : 0
  return writeCursor(Cursor, {
    ...cursor,
    anchors: cursor.anchors.slice(-ANCHORS_MAX),
    pending: cursor.pending.slice(0, PENDING_MAX),
    listed: listed.slice(0, LISTED_MAX),
    listedAbove: Math.max(cursor.listedAbove, floor),
  })
}
