import { type TSchema, Type } from '@sinclair/typebox'
import { Optional, StrictObject, UnicodeString } from './types.ts'

/** Spec 4. */
export const Success = (data: TSchema) => StrictObject({ success: Type.Literal(true), data })

/** Spec 7. */
export const Failure = StrictObject(
  {
    // Generators that read no constant false read this.
    success: Type.Literal(false, { enum: [false] }),
    error: StrictObject({
      code: UnicodeString({ description: 'Stable; decide by this.' }),
      message: UnicodeString({ description: 'A sentence for people.' }),
      requestId: UnicodeString({
        description: 'The same as the header X-Request-Id, and in the server’s log.',
      }),
      details: Optional(
        Type.Unknown({ description: 'Of a validation_error: the path and the rule of each fault.' }),
      ),
    }),
  },
  { title: 'Failure' },
)

export const Alive = StrictObject({ status: Type.Literal('alive') })
export const Ready = StrictObject({ status: Type.Literal('ready') })
