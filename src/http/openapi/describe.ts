import type { Static, TSchema } from '@sinclair/typebox'
import type { RefusalCode } from '../../domain/errors.ts'
import type { Role } from '../../domain/user.ts'
import type { AccessRule } from '../../operations/keys/authenticate.ts'

/** Access rule of a route: a key that the rule allows, any client within the rate limit, or any client. */
export type Access = AccessRule | 'rate-limited' | 'public'

/**
 * The description of a route, which is in the route's module: access, responses, and the texts of the
 * document.
 */
export interface Operation {
  tag: 'Orders' | 'Transactions' | 'Events' | 'Products' | 'Checkout' | 'Merchant' | 'Health'
  summary: string
  description?: string
  access: Access
  /** role of a dashboard user who may call the route too, instead of a key */
  login?: Role
  idempotencyKey?: 'optional' | 'required'
  /** description and schema of `data`, by status */
  responses: Record<number, [description: string, data: TSchema]>
  /** refusals besides those of every route with this access */
  refusals?: RefusalCode[]
}

declare module 'elysia' {
  interface DocumentDecoration {
    'x-operation'?: Operation
  }
}

export interface DescribedOperation<A extends Access = Access, Data = unknown> {
  access: A
  detail: { operationId: string; 'x-operation': Operation }
  /** exists only as a type: `data` of a successful response */
  data?: Data
}

/**
 * Describes a route once. Its access check, response type and documentation are derived from the description.
 */
export const describeOperation = <const A extends Access, S extends TSchema>(
  operationId: string,
  operation: Omit<Operation, 'access' | 'responses'> & {
    access: A
    responses: Record<number, [description: string, data: S]>
  },
): DescribedOperation<A, Static<S>> => ({
  access: operation.access,
  detail: { operationId, 'x-operation': operation },
})
