import { type StaticDecode, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import { BigInteger, BlockHash, Height, Instant } from '../evm-like/cursor-fields.ts'
import * as stored from '../rpc/cursor.ts'

/** How the native balance of an address changed in one block that is not final yet. */
const PendingChange = Type.Object({
  height: Height,
  hash: BlockHash,
  /** atomic; below zero for what left without a log of a forwarder */
  amount: BigInteger,
  /** how many transactions the account sent; zero for a forwarder */
  sent: BigInteger,
})
export type PendingChange = StaticDecode<typeof PendingChange>

/** The state of an account at one block. */
const Anchor = Type.Object({
  height: Height,
  hash: BlockHash,
  /** atomic */
  balance: BigInteger,
  nonce: BigInteger,
})
export type Anchor = StaticDecode<typeof Anchor>

/** What is stored for an address whose owner may have used it before and can spend from it. */
const Account = Type.Object({
  /** at the cursor's height */
  nonce: BigInteger,
  /** some way below the head when the address was allocated: where a replaced chain is read again from */
  anchor: Anchor,
  /** the newest block when the address was allocated: what it contains, or came before it, is no payment */
  allocatedAfter: Type.Object({ height: Height, at: Instant }),
  /** what the account held of each token then, by asset; missing where the node didn't say */
  tokens: Type.Record(Type.String(), BigInteger),
})

/** A block by its height, with the hash that it had. */
const BlockRef = Type.Object({ height: Height, hash: BlockHash })

const Cursor = Type.Object({
  height: Height,
  hash: BlockHash,
  /** the newest block that was deep enough to settle, some way above `height` */
  settled: BlockRef,
  /** what the logs between `height` and `settled` reported, so that logs that were missing are noticed */
  reported: Type.String(),
  /** what was counted of each token up to `height`, by asset, less what a forwarder paid out */
  counted: Type.Record(Type.String(), BigInteger),
  /** when the token balances were last compared with what was counted */
  comparedAt: Instant,
  /** when they differed and the logs were read again from the start, and how often that explained nothing */
  rereadAt: Instant,
  rereads: Type.Integer({ minimum: 0 }),
  /** the native balance at `height`, atomic */
  balance: BigInteger,
  /** what was final when the address was allocated: where a chain replaced that deep is read again from */
  startHeight: Height,
  /** when the address was allocated, milliseconds since 1970 UTC */
  startedAt: Instant,
  /** the newest block that was seen; a node that doesn't have it is behind */
  seen: Height,
  seenAt: Instant,
  changes: Type.Array(PendingChange),
  /** null for a forwarder, which is empty when it is allocated and logs what it pays out */
  account: Type.Union([Account, Type.Null()]),
})

/**
 * Where the watch of one address continues. Everything at or below `settled` is final and was reported.
 * Blocks above `height` are read again, since a node can be late to report what they contain.
 */
export type Cursor = StaticDecode<typeof Cursor>

/** Where nothing was read since the block of the cursor. */
export const nothingCounted = {
  reported: '',
  counted: {},
  comparedAt: 0,
  rereadAt: 0,
  rereads: 0,
} satisfies Partial<Cursor>

/** A scan finds again what is left out, so that many small payments can't grow a cursor without limit. */
export const CHANGES_MAX = 32

export const writeCursor = (cursor: Cursor): Json =>
  stored.writeCursor(Cursor, {
    ...cursor,
    changes: cursor.changes
      .toSorted((a, b) => (a.amount === b.amount ? a.height - b.height : a.amount > b.amount ? -1 : 1))
      .slice(0, CHANGES_MAX),
  })

/** Throws NetworkError if the JSON is no cursor of this network. */
export const readCursor = (json: Json): Cursor => stored.readCursor(Cursor, json)

/**
 * What a cursor states about money and no later scan verifies: what is missing in it would be found as a
 * payment.
 */
export function balanceFingerprint(json: Json): string {
  const { balance, account } = readCursor(json)
  return `${balance} ${account?.nonce ?? ''}`
}
