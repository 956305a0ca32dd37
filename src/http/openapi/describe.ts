import type { Static, TSchema } from '@sinclair/typebox'
import type { RefusalCode } from '../../domain/errors.ts'
import type { Role } from '../../domain/user.ts'
import type { AccessRule } from '../../operations/keys/authenticate.ts'

/** Who may call a route: a key that the rule allows, any client within the rate limit, or any client. */
export type Access = AccessRule | 'rate-limited' | 'public'

/** What a route's module says about it: who may call it, what it answers, and the words of the document. */
export interface Operation {
  tag: 'Orders' | 'Transactions' | 'Events' | 'Products' | 'Checkout' | 'Merchant' | 'Health'
  summary: string
  description?: string
  access: Access
  /** a person of the dashboard with this role may call it too, in place of a key */
  login?: Role
  idempotencyKey?: 'optional' | 'required'
  /** by status: a description and the schema of `data` */
  responses: Record<number, [description: string, data: TSchema]>
  /** besides those that every route with this access has */
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
  /** a type only: what `data` may be in a successful response */
  data?: Data
}

/** Describes a route once: the route takes its access rule, its response type and its document from here. */
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
