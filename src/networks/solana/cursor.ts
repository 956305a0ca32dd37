import { type Static, Type } from '@sinclair/typebox'
import type { Json } from '../../domain/metadata.ts'
import * as stored from '../rpc/cursor.ts'

const Slot = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Instant = Type.Integer({ minimum: 0 })
const OptionalString = Type.Union([Type.String(), Type.Null()])

/** An account that is watched for an address, and the position up to which its transactions were read. */
const TrackedAccount = Type.Object({
  account: Type.String(),
  /** the token that the account holds; null for the address itself */
  mint: OptionalString,
  /** the newest signature whose transaction is final and was reported; null if there is no such signature */
  until: OptionalString,
  /** the slot of `until`, or of the start; older transactions are not read */
  slot: Slot,
  /** the balance after `until`; null if unknown */
  balance: Type.Union([Type.String({ pattern: '^[0-9]{1,20}$' }), Type.Null()]),
  /** signatures from which later scans continue into the past, the oldest last */
  backlog: Type.Array(Type.String()),
  /** a hash of the account's state at the last scan; null if the node could not report it */
  stateHash: OptionalString,
  /**
   * the time of the first scan that found the account unchanged, milliseconds since 1970 UTC; null if unknown
   */
  idleSince: Type.Union([Type.Integer(), Type.Null()]),
})
export type TrackedAccount = Static<typeof TrackedAccount>

/** The position of the watch of one address. */
const Cursor = Type.Object({
  /** the slot of the chain when the watch began */
  startSlot: Slot,
  /** the time when the watch began, in milliseconds since 1970 UTC */
  startedAt: Instant,
  /** all payments up to this slot are final and were reported */
  finalTo: Slot,
  /** the slot of the newest reported transaction: a node below it is behind */
  reportedTo: Slot,
  /** the newest slot that a node reported recently */
  tipSlot: Slot,
  /** the time when `tipSlot` was reported; the report expires, since it may have been false */
  tipAt: Instant,
  /** the time since which no node lists every transaction that changed a balance; null if a node does */
  doubtedSince: Type.Union([Instant, Type.Null()]),
  accounts: Type.Array(TrackedAccount),
})
export type Cursor = Static<typeof Cursor>

/** Reads a stored cursor. Throws NetworkError if it does not match the schema. */
export const readCursor = (json: Json): Cursor => stored.readCursor(Cursor, json)

export const writeCursor = (cursor: Cursor): Json => stored.writeCursor(Cursor, cursor)
