import { type TSchema, Type } from '@sinclair/typebox'
import { type RefusalCode, refusals } from '../../domain/errors.ts'
import { described, OneOf, Optional, StrictObject, UnicodeString } from './types.ts'

/** The envelope of a successful response. */
export const Success = (data: TSchema) => StrictObject({ success: Type.Literal(true), data })

/** The envelope of an error. */
export const Failure = StrictObject(
  {
    // Some code generators ignore the constant `false`, but read an enum with one value.
    success: Type.Literal(false, { enum: [false] }),
    error: StrictObject({
      code: described(
        'Stable: use this in code. Later versions may add codes: treat an unknown one by the HTTP status.',
        OneOf(Object.keys(refusals) as RefusalCode[]),
      ),
      message: UnicodeString({ description: 'For people. The wording may change.' }),
      requestId: UnicodeString({
        description: 'The same ID as in the X-Request-Id header and in the server’s log.',
      }),
      details: Optional(
        Type.Array(
          StrictObject({
            path: UnicodeString({ description: 'JSON pointer of the field; empty for the whole request.' }),
            rule: UnicodeString({ description: 'For people: what the field must be.' }),
          }),
          {
            description:
              'For validation_error and destination_not_allowed: each field to correct, and its rule.',
          },
        ),
      ),
    }),
  },
  { title: 'Failure' },
)

export const Alive = StrictObject({ status: Type.Literal('alive') })
export const Ready = StrictObject({ status: Type.Literal('ready') })
