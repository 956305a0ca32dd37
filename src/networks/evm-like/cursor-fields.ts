import { Type } from '@sinclair/typebox'

export const Height = Type.Integer({ minimum: 0 })

/** Milliseconds since 1970 UTC. */
export const Instant = Type.Integer({ minimum: 0 })

/** The hash of a block; empty if the block is no longer on the chain. */
export const BlockHash = Type.String()

/** An integer of any size, stored as a string. */
export const BigInteger = Type.Transform(Type.String({ pattern: '^-?[0-9]+$' }))
  .Decode(digits => BigInt(digits))
  .Encode(integer => integer.toString())
