import type { TSchema } from '@sinclair/typebox'
import type { RefusalCode } from '../../domain/errors.ts'
import type { AccessRule } from '../../operations/merchants/authenticate.ts'

/** What the OpenAPI document tells of a route beyond its shapes. */
export interface Operation {
  tag: 'Orders' | 'Transactions' | 'Events' | 'Products' | 'Checkout' | 'Merchant' | 'Health'
  summary: string
  description?: string
  /** what its gate asks of a key; null where anybody may ask, "limited" where he may so often */
  needs: AccessRule | 'limited' | null
  idempotencyKey?: 'optional' | 'required'
  /** what `data` is, by status: a sentence and a shape */
  answers: Record<number, [sentence: string, data: TSchema]>
  /** beyond those that every route of its kind has */
  refusals?: RefusalCode[]
  /** answers that are errors, but none of the catalogue's */
  failures?: Record<number, string>
}

declare module 'elysia' {
  interface DocumentDecoration {
    'x-operation'?: Operation
  }
}

/** The `detail` of a route. Its name is the operation's. */
export const describeOperation = (operationId: string, operation: Operation) => ({
  detail: { operationId, 'x-operation': operation },
})
