import { type StaticDecode, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import { BigInteger, BlockHash, Height, Instant } from '../evm-like/cursor-fields.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import * as stored from '../rpc/cursor.ts'

/** A block that a watch can continue from, on a node and in an index. */
const BlockRef = Type.Object({ height: Height, hash: BlockHash, at: Instant })
export type BlockRef = StaticDecode<typeof BlockRef>

export const toBlockRef = ({ height, hash, at }: Header): BlockRef => ({ height, hash, at })

const Cursor = Type.Object({
  height: Height,
  hash: BlockHash,
  at: Instant,
  /** the newest solid block when the address was allocated */
  start: BlockRef,
  /** the newest block that was seen; a node that doesn't have it is behind */
  seen: Height,
  seenAt: Instant,
  /** where the cursor moves to once an index can't be behind it any more; null if no index was read */
  next: Type.Union([BlockRef, Type.Null()]),
  /** whether a payment of the coin above the cursor's height was reported */
  hasCoinPayments: Type.Boolean(),
  /** the coin's balance at the last scan that read it, atomic; null if none did */
  balance: Type.Union([BigInteger, Type.Null()]),
})

/** Where the watch of one address continues. Everything at or below `height` is final and was reported. */
export type Cursor = StaticDecode<typeof Cursor>

export const writeCursor = (cursor: Cursor): Json => stored.writeCursor(Cursor, cursor)

/** Throws NetworkError if the JSON is no cursor of this network. */
export const readCursor = (json: Json): Cursor => stored.readCursor(Cursor, json)
