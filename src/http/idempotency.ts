import { invalid } from '../domain/errors.ts'
import { IdempotencyKey } from './schema/fields.ts'
import { violatedRule } from './schema/types.ts'

/** The Idempotency-Key of a request, or null. Refuses a malformed key. */
export function idempotencyKey(request: Request): string | null {
  const key = request.headers.get('idempotency-key')
  if (key === null) return null
  const rule = violatedRule(IdempotencyKey, key)
  if (rule) throw invalid('Idempotency-Key', rule)
  return key
}
