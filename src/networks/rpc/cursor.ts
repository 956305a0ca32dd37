import type { StaticDecode, TSchema } from '@sinclair/typebox'
import { TransformDecodeCheckError, Value } from '@sinclair/typebox/value'
import type { Json } from '../../domain/metadata.ts'
import { NetworkError } from '../port.ts'

/** Reads a stored cursor. Throws NetworkError if it does not match the schema. */
export function readCursor<S extends TSchema>(schema: S, stored: Json): StaticDecode<S> {
  try {
    return Value.Decode(schema, stored)
  } catch (error) {
    if (!(error instanceof TransformDecodeCheckError)) throw error
    const { path, message } = error.error
    throw new NetworkError(
      `Florin's saved position on this chain cannot be read (${path || '/'}: ${message}): ` +
        'report this as a bug',
    )
  }
}

/** Returns a cursor as JSON, to be stored. Throws for a cursor that `readCursor` would refuse. */
export const writeCursor = <S extends TSchema>(schema: S, cursor: StaticDecode<S>): Json =>
  Value.Encode(schema, cursor) as Json
