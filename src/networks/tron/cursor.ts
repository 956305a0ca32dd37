import { type StaticDecode, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import { BigInteger, BlockHash, Height, Instant } from '../evm-like/cursor-fields.ts'
import type { Header } from '../evm-like/rpc-calls.ts'
import * as stored from '../rpc/cursor.ts'

/** A block from which a watch can continue, on a node by height and in an index by time. */
const BlockRef = Type.Object({ height: Height, hash: BlockHash, at: Instant })
export type BlockRef = StaticDecode<typeof BlockRef>

export const toBlockRef = ({ height, hash, at }: Header): BlockRef => ({ height, hash, at })

const Cursor = Type.Object({
  /** the block from which scans read: some hours before `settled`, since an answer may leave payments out */
  height: Height,
  hash: BlockHash,
  at: Instant,
  /** the newest solid block when the address was allocated, with a time that is no later than `startedAt` */
  start: BlockRef,
  /** the time when the address was allocated, in milliseconds since 1970 UTC */
  startedAt: Instant,
  /** the time of that block as the endpoint reported it; missing in cursors of older versions */
  reportedAt: Type.Optional(Instant),
  /** the newest block up to which everything is final and was read: payments up to it cannot be gone */
  settled: BlockRef,
  /** the newest block with a payment that was reported as final, also by an incomplete scan */
  finalTo: Height,
  /** the newest block that was seen: a node that does not have it is behind */
  seen: Height,
  seenAt: Instant,
  /**
   * the times from which long lists are continued, by `listKey`: each endpoint has its own, since one may
   * invent a long list to hide payments; a list that fits into one scan is read since `at`
   */
  lists: Type.Optional(Type.Record(Type.String(), Instant)),
  /** the block that `height` moves to, once it is some hours old */
  next: Type.Union([BlockRef, Type.Null()]),
  /** the time when everything since the start was last read, in milliseconds since 1970 UTC */
  reviewedAt: Instant,
  /** true if a coin payment above the settled block was reported */
  hasCoinPayments: Type.Boolean(),
  /** the time until which a watch of a token reads coin payments, after the balance has changed */
  coinUntil: Instant,
  /** the coin balance at the last scan that read it, in atomic units; null if no scan did */
  balance: Type.Union([BigInteger, Type.Null()]),
})

/** The position of the watch of one address. */
export type Cursor = StaticDecode<typeof Cursor>

/** The key of `lists` for a list of the endpoint at a host. */
export const listKey = (list: 'tokens' | 'coin', host: string): string => `${list} ${host}`

export const writeCursor = (cursor: Cursor): Json => stored.writeCursor(Cursor, cursor)

/** Reads a stored cursor. Throws NetworkError if it does not match the schema. */
export const readCursor = (json: Json): Cursor => stored.readCursor(Cursor, json)
