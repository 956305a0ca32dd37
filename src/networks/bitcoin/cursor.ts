import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Static, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import { readCursor as readStored, writeCursor } from '../rpc/cursor.ts'

const Height = Type.Integer({ minimum: 0, maximum: 0x7fffffff })

/** The position of a block. The hash is null where the endpoint does not report hashes by height. */
const BlockRef = Type.Object({ height: Height, hash: Type.Union([Type.String(), Type.Null()]) })
export type BlockRef = Static<typeof BlockRef>

/** A payment that a scan reported in a block. */
const Listed = Type.Object({
  /** the short ID of the payment's transaction */
  id: Type.String(),
  height: Height,
  /** the `fingerprintOf` the block's hash */
  block: Type.String(),
  final: Type.Boolean(),
})
export type Listed = Static<typeof Listed>

/**
 * The sums of payments in blocks: `before` is the sum until the watch began, and `sum` is the sum from then
 * up to the cursor's block.
 */
const Counted = Type.Object({
  before: Type.String({ pattern: '^[0-9]{1,24}$' }),
  /** null if unknown, since the chain replaced the cursor's block */
  sum: Type.Union([Type.String({ pattern: '^[0-9]{1,24}$' }), Type.Null()]),
})

const Instant = Type.Integer({ minimum: 0 })

/** The position of the watch of one address. All payments up to `block` are final and were reported. */
const Cursor = Type.Object({
  block: BlockRef,
  /** the height up to which whole blocks were read; missing in cursors of older versions */
  blocksTo: Type.Optional(Height),
  /** earlier values of `block`, the newest last: fallbacks for a reorganisation that replaces `block` */
  anchors: Type.Array(BlockRef),
  /** payments at or below this height do not count */
  startHeight: Height,
  /** the time when the watch began, in milliseconds since 1970 UTC */
  startedAt: Instant,
  /** the tip of the last scan: a node with a lower tip is behind */
  tip: BlockRef,
  /**
   * the time when that tip was last reported; the report expires after `SEEN_MS`, since it may have been
   * false
   */
  tipAt: Instant,
  /** the newest payments that were reported, in blocks above `listedAbove` */
  listed: Type.Array(Listed),
  listedAbove: Height,
  /**
   * the time since which all nodes leave out a payment in `listed` whose block still exists; null if a node
   * lists it
   */
  doubtedSince: Type.Union([Instant, Type.Null()]),
  /**
   * the sums to compare with the sum that an endpoint reports; null if no endpoint reported a sum at the
   * start
   */
  counted: Type.Union([Counted, Type.Null()]),
  /**
   * the time since which all nodes report a greater sum than the payments that they list; null if a node does
   * not
   */
  shortSince: Type.Union([Instant, Type.Null()]),
  /** IDs of unconfirmed transactions that were reported */
  pending: Type.Array(Type.String()),
  /**
   * short IDs of transactions that are older than the watch: all that are above `startHeight` or unconfirmed,
   * and the newest others, since `startHeight` may be false
   */
  ignored: Type.Array(Type.String()),
})
export type Cursor = Static<typeof Cursor>

/**
 * The number of newest blocks that every scan reads again, since they may be replaced, and many servers
 * report a block before they report its payments to an address.
 */
export const UNSURE_BLOCKS = 6

/**
 * Max unconfirmed payments that a cursor stores, which is more than a buyer makes. A scan finds the others
 * again.
 */
const PENDING_MAX = 16
const ANCHORS_MAX = 2
/** The number of digits of a transaction's ID that are stored, enough to be unique at one address. */
const ID_DIGITS = 16

/**
 * Max payments that `listed` stores, enough for those of a buyer. Scans do not look for omitted payments
 * below the oldest one.
 */
const LISTED_MAX = 24

export const shortId = (txId: string): string => txId.slice(0, ID_DIGITS)

/**
 * Shortens a block's hash by hashing it. The hash's first digits would not do, since hashes of some chains
 * begin with many zeros.
 */
export const fingerprintOf = (hash: string): string =>
  bytesToHex(sha256(utf8ToBytes(hash))).slice(0, ID_DIGITS)

/** Reads a stored cursor. Throws NetworkError if it does not match the schema. */
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
