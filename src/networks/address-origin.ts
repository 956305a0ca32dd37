import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { assert } from '../domain/errors.ts'
import type { Json } from '../domain/metadata.ts'

/** The part of an address's source that networks read. The stored source may have more, for recovery. */
const AddressOrigin = Type.Union([
  Type.Object({ kind: Type.Literal('create2'), payout: Type.String(), salt: Type.String() }),
  Type.Object({ kind: Type.Literal('seed'), payout: Type.String(), seed: Type.String() }),
  /** the private view key in hex */
  Type.Object({ kind: Type.Literal('viewkey'), viewKey: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  Type.Object({ kind: Type.Literal('xpub') }),
  Type.Object({ kind: Type.Literal('pool') }),
  Type.Object({ kind: Type.Literal('shared') }),
  /** issued by the node of the network, such as an invoice */
  Type.Object({ kind: Type.Literal('issued') }),
  Type.Object({ kind: Type.Literal('sandbox') }),
])

type AddressOrigin = Static<typeof AddressOrigin>

/** Reads the source that is stored with an address. An invalid source is a bug, since Florin wrote it. */
export function readOrigin(source: Json): AddressOrigin {
  assert(Value.Check(AddressOrigin, source), 'the source of an address has a known form')
  return source
}
