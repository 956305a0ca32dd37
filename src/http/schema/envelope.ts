import { type TSchema, Type } from '@sinclair/typebox'
import { Closed, Optional, Text } from './types.ts'

/** Spec 4. */
export const Success = (data: TSchema) => Closed({ success: Type.Literal(true), data })

/** Spec 7. */
export const Failure = Closed(
  {
    // Generators that read no constant false read this.
    success: Type.Literal(false, { enum: [false] }),
    error: Closed({
      code: Text({ description: 'Stable; decide by this.' }),
      message: Text({ description: 'A sentence for people.' }),
      requestId: Text({ description: 'The same as the header X-Request-Id, and in the server’s log.' }),
      details: Optional(
        Type.Unknown({ description: 'Of a validation_error: the path and the rule of each fault.' }),
      ),
    }),
  },
  { title: 'Failure' },
)

export const Alive = Closed({ status: Type.Literal('alive') })
export const Ready = Closed({ status: Type.Literal('ready') })
