import { type TSchema, Type } from '@sinclair/typebox'
import { Optional, StrictObject, UnicodeString } from './types.ts'

/** The envelope of a successful response. */
export const Success = (data: TSchema) => StrictObject({ success: Type.Literal(true), data })

/** The envelope of an error. */
export const Failure = StrictObject(
  {
    // Some code generators ignore the constant false but read this enum.
    success: Type.Literal(false, { enum: [false] }),
    error: StrictObject({
      code: UnicodeString({ description: 'Stable: use this in code.' }),
      message: UnicodeString({ description: 'For people. The wording may change.' }),
      requestId: UnicodeString({
        description: 'The same ID as in the X-Request-Id header and in the server’s log.',
      }),
      details: Optional(
        Type.Unknown({
          description: 'For validation_error: the path and the violated rule of each invalid field.',
        }),
      ),
    }),
  },
  { title: 'Failure' },
)

export const Alive = StrictObject({ status: Type.Literal('alive') })
export const Ready = StrictObject({ status: Type.Literal('ready') })
