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
  /** where a scan begins to read: some hours behind `settled`, since one answer may leave something out */
  height: Height,
  hash: BlockHash,
  at: Instant,
  /** the newest solid block when the address was allocated */
  start: BlockRef,
  /** when the address was allocated, milliseconds since 1970 UTC */
  startedAt: Instant,
  /** up to here everything is final and was read at least once: a payment in it can't be gone any more */
  settled: BlockRef,
  /** the newest block with a payment that was reported as final, also by a scan that left something out */
  finalTo: Height,
  /** the newest block that was seen; a node that doesn't have it is behind */
  seen: Height,
  seenAt: Instant,
  /** from when on the lists are read, where there is too much since `at` to read it again; missing if not */
  tokensFrom: Type.Optional(Instant),
  coinFrom: Type.Optional(Instant),
  /** where `height` moves to once that is some hours ago */
  next: Type.Union([BlockRef, Type.Null()]),
  /** when everything since the start was last read, milliseconds since 1970 UTC */
  reviewedAt: Instant,
  /** whether a payment of the coin above the settled block was reported */
  hasCoinPayments: Type.Boolean(),
  /** until when payments of the coin are read for a watch of a token, after the balance has changed */
  coinUntil: Instant,
  /** the coin's balance at the last scan that read it, atomic; null if none did */
  balance: Type.Union([BigInteger, Type.Null()]),
})

/** Where the watch of one address continues. */
export type Cursor = StaticDecode<typeof Cursor>

export const writeCursor = (cursor: Cursor): Json => stored.writeCursor(Cursor, cursor)

/** Throws NetworkError if the JSON is no cursor of this network. */
export const readCursor = (json: Json): Cursor => stored.readCursor(Cursor, json)
