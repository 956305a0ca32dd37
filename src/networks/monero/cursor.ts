import { type Static, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import * as stored from '../rpc/cursor.ts'

const Height = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** The position of the watch of one address. All payments up to `height` are final and were reported. */
const Cursor = Type.Object({
  height: Height,
  hash: Type.String(),
  /** the height from which the watch continues when a reorganisation replaces the block at `height` */
  startHeight: Height,
  /** the time when the watch began, in milliseconds since 1970 UTC */
  startedAt: Height,
  /** the newest block when the watch began, with its short hash: what is below it does not count */
  first: Type.Optional(Type.Object({ height: Height, hash: Type.String() })),
  tipHeight: Height,
  /** the time when that tip was reported; the report expires, since it may have been false */
  tipAt: Height,
  /** short hashes of the newest blocks that were seen, up to `tipHeight` */
  recentHashes: Type.Array(Type.String()),
  /** short one-time keys of the outputs that were paid to the address up to `height` */
  usedKeys: Type.Array(Type.String()),
})
export type Cursor = Static<typeof Cursor>

/** The number of digits that are stored of a hash or key, enough to distinguish them. */
const SHORT_DIGITS = 16
const RECENT_MAX = 24

/**
 * Max keys in a cursor. The cursor stops at the block of the next output, so that a flood of small payments
 * cannot bloat it.
 */
export const USED_KEYS_MAX = 200

export const shortHex = (hex: string): string => hex.slice(0, SHORT_DIGITS)

/** Reads a stored cursor. Throws NetworkError if it does not match the schema. */
export const readCursor = (json: Json): Cursor => stored.readCursor(Cursor, json)

export const writeCursor = (cursor: Cursor): Json =>
  stored.writeCursor(Cursor, { ...cursor, recentHashes: cursor.recentHashes.slice(-RECENT_MAX) })

/**
 * True if a block was seen before, false if another block was seen at its height; null if its height is not
 * remembered.
 */
export function isKnownBlock(
  { tipHeight, recentHashes }: Cursor,
  { height, hash }: { height: number; hash: string },
): boolean | null {
  const known = height > tipHeight ? undefined : recentHashes.at(height - tipHeight - 1)
  return known === undefined ? null : known === shortHex(hash)
}
