import type { TSchema } from '@sinclair/typebox'
import { invalid, type Refusal } from '../../domain/errors.ts'
import type { Context } from '../../operations/context.ts'
import { invalidPaths } from '../schema/violations.ts'

/** Refuses what the API would refuse too. The refusal names the first field that is not valid. */
export function checkForm(schema: TSchema, value: unknown): void {
  const [path] = invalidPaths(schema, value)
  if (path !== undefined) throw invalid(path, 'is not valid')
}

/**
 * The token of a form that is shown again. What it made stays; what a person entered after going back to it
 * can be sent as a form of its own.
 */
export const tokenAfter = ({ ids }: Pick<Context, 'ids'>, refusal: Refusal | null, token: string): string =>
  refusal?.code === 'idempotency_key_reused' ? ids.uuid() : token
