import { type Static, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import { readCursor as readStored, writeCursor } from '../rpc/cursor.ts'

const Height = Type.Integer({ minimum: 0, maximum: 0x7fffffff })

/** A block by its height. The hash is null where an endpoint does not report hashes by height. */
const BlockRef = Type.Object({ height: Height, hash: Type.Union([Type.String(), Type.Null()]) })
export type BlockRef = Static<typeof BlockRef>

/** Where the watch of one address continues. All payments up to `block` are final and were reported. */
const Cursor = Type.Object({
  block: BlockRef,
  /** earlier values of `block`, the newest last, which a reorganisation hardly ever reaches */
  anchors: Type.Array(BlockRef),
  /** payments in this block and below do not count */
  startHeight: Height,
  /** the tip of the last scan; a node that does not know it is behind */
  tip: BlockRef,
  /** payments up to this height were reported */
  reportedTo: Height,
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

export const shortId = (txId: string): string => txId.slice(0, ID_DIGITS)

/** Throws NetworkError for a stored cursor that does not match the schema. */
export const readCursor = (stored: Json): Cursor => readStored(Cursor, stored)

export const printCursor = (cursor: Cursor): Json =>
  writeCursor(Cursor, {
    ...cursor,
    anchors: cursor.anchors.slice(-ANCHORS_MAX),
    pending: cursor.pending.slice(0, PENDING_MAX),
  })
