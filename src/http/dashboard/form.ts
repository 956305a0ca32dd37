import type { TSchema } from '@sinclair/typebox'
import { invalid } from '../../domain/errors.ts'
import { invalidPaths } from '../schema/violations.ts'

/** Refuses what the API would refuse too. The refusal names the first field that is not valid. */
export function checkForm(schema: TSchema, value: unknown): void {
  const [path] = invalidPaths(schema, value)
  if (path !== undefined) throw invalid(path, 'is not valid')
}
