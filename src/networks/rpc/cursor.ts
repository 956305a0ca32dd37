import type { StaticDecode, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'

/** Reads a stored cursor. Throws NetworkError if it does not match the schema. */
export function readCursor<S extends TSchema>(schema: S, stored: Json): StaticDecode<S> {
  const problem = Value.Errors(schema, stored).First()
  if (problem) {
    throw new NetworkError(
      `Florin's saved position on this chain cannot be read (${problem.path || '/'}: ` +
        `${problem.message}): report this as a bug`,
    )
  }
  return Value.Decode(schema, stored)
}

/** Returns a cursor as JSON, to be stored. Throws for a cursor that `readCursor` would refuse. */
export const writeCursor = <S extends TSchema>(schema: S, cursor: StaticDecode<S>): Json =>
  Value.Encode(schema, cursor) as Json
