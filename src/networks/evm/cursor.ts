import { type StaticDecode, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import { BigInteger, BlockHash, Height, Instant } from '../evm-like/cursor-fields.ts'
import * as stored from '../rpc/cursor.ts'

/** The change of an address's coin balance in a block that is not final yet. */
const PendingChange = Type.Object({
  height: Height,
  hash: BlockHash,
  /** the change in atomic units; below zero for money that left without a log of a forwarder */
  amount: BigInteger,
  /** the number of transactions that the account sent; zero for a forwarder */
  sent: BigInteger,
})
export type PendingChange = StaticDecode<typeof PendingChange>

/** The state of an account at one block. */
const Anchor = Type.Object({
  height: Height,
  hash: BlockHash,
  /** the coin balance, in atomic units */
  balance: BigInteger,
  nonce: BigInteger,
})
export type Anchor = StaticDecode<typeof Anchor>

/** Facts about an address whose owner may have used it before, and can spend from it. */
const Account = Type.Object({
  /** the nonce at the cursor's height */
  nonce: BigInteger,
  /** a block below the head at the allocation, from which a replaced chain is read again */
  anchor: Anchor,
  /** the newest block at the allocation: money that this or an older block contains is no payment */
  allocatedAfter: Type.Object({ height: Height, at: Instant }),
  /**
   * the token balances at the allocation, by asset, without those that are zero or that the node did not
   * report
   */
  tokens: Type.Record(Type.String(), BigInteger),
})

/** A block, with the hash that it had at the last scan. */
const BlockRef = Type.Object({ height: Height, hash: BlockHash })

const Cursor = Type.Object({
  height: Height,
  hash: BlockHash,
  /** the newest block that was deep enough to settle, above `height` */
  settled: BlockRef,
  /** a fingerprint of the logs between `height` and `settled`, to notice logs that were missing before */
  reported: Type.String(),
  /** the token payments up to `height`, by asset, without what a forwarder paid out */
  counted: Type.Record(Type.String(), BigInteger),
  /** the time when the token balances were last compared with `counted` */
  comparedAt: Instant,
  /** the time when the logs were last read again from the start, because the balances differed */
  rereadAt: Instant,
  /** the number of rereadings in a row that did not explain the difference */
  rereads: Type.Integer({ minimum: 0 }),
  /**
   * the part of a token deposit that did not arrive at a forwarder, by transaction and log, so that other
   * deposits are not cut for it; zero for a known deposit that arrived entirely
   */
  lacking: Type.Optional(Type.Record(Type.String(), BigInteger)),
  /** the coin balance at `height`, in atomic units */
  balance: BigInteger,
  /**
   * the newest final block at the allocation, where the watch restarts if the block at `height` is replaced
   */
  startHeight: Height,
  /** the time when the address was allocated, in milliseconds since 1970 UTC */
  startedAt: Instant,
  /** the newest block that was seen: a node that does not have it is behind */
  seen: Height,
  seenAt: Instant,
  changes: Type.Array(PendingChange),
  /**
   * the facts about an account; null for a forwarder, which is empty at its allocation and logs its payouts
   */
  account: Type.Union([Account, Type.Null()]),
})

/**
 * The position of the watch of one address. Everything up to `settled` is final and was reported. Blocks
 * above `height` are read again, since a node can be late to report their logs.
 */
export type Cursor = StaticDecode<typeof Cursor>

/** The fields of a cursor that has read nothing since its block. */
export const nothingCounted = {
  reported: '',
  counted: {},
  comparedAt: 0,
  rereadAt: 0,
  rereads: 0,
} satisfies Partial<Cursor>

/**
 * Max changes that a cursor stores, which limits its size in a flood of small payments. A scan finds the
 * other changes again.
 */
export const CHANGES_MAX = 32

export const writeCursor = (cursor: Cursor): Json =>
  stored.writeCursor(Cursor, {
    ...cursor,
    changes: cursor.changes
      .toSorted((a, b) => (a.amount === b.amount ? a.height - b.height : a.amount > b.amount ? -1 : 1))
      .slice(0, CHANGES_MAX),
  })

/** Reads a stored cursor. Throws NetworkError if it does not match the schema. */
export const readCursor = (json: Json): Cursor => stored.readCursor(Cursor, json)

/**
 * The balance, the nonce and the changes of a cursor, on which the endpoints of a quorum must agree. No later
 * scan verifies them: a balance that is too low makes the missing part look like a payment, and every scan
 * reports the changes again, so that a second endpoint would seem to confirm what only the first reported.
 */
export function balanceFingerprint(json: Json): string {
  const { balance, account, changes } = readCursor(json)
  const moved = changes.map(({ height, hash, amount, sent }) => `${height} ${hash} ${amount} ${sent}`)
  return [balance, account?.nonce ?? '', ...moved.sort()].join()
}
