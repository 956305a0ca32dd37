import { Refusal, type RefusalCode } from '../../domain/errors.ts'
import { failure } from '../envelope.ts'
import { Failure } from '../schema/envelope.ts'
import type { Operation } from './describe.ts'
import { type Schemas, schemaOf } from './schemas.ts'

const REQUEST_ID = '01981f5c-7d2b-7000-8000-0a1b2c3d4e5f'
const details = [{ path: '/amount', rule: 'must match ^[0-9]{1,18}([.][0-9]{1,3})?$' }]

export const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

/** Every code that a route can refuse with: its own, and those of its kind. */
function codesOf({ needs, refusals = [] }: Operation, hasBody: boolean): RefusalCode[] {
  const codes: RefusalCode[] = [...refusals, 'internal_error']
  if (needs !== null) codes.push('validation_error')
  if (needs === 'limited') codes.push('rate_limited')
  else if (needs !== null) {
    codes.push('unauthorized', 'invalid_api_key', 'merchant_suspended')
    if (needs.live) codes.push('live_key_required')
    if (needs.scope) codes.push('insufficient_scope')
  }
  if (hasBody) codes.push('body_too_large')
  return codes
}

const exampleOf = (refusal: Refusal): object => ({
  value: failure(
    refusal.code === 'validation_error' ? new Refusal(refusal.code, undefined, details) : refusal,
    REQUEST_ID,
  ),
})

/** The envelope of spec 7, and which codes come with one status of one route. */
function answer(refusals: Refusal[], description: string, schemas: Schemas): object {
  const codes = refusals.map(({ code }) => code)
  const examples = refusals.map(refusal => [
    refusal.code,
    schemas.exampleNamed(refusal.code, exampleOf(refusal)),
  ])
  const isLimit = codes.includes('rate_limited')
  return {
    description,
    'x-codes': codes,
    headers: {
      ...requestIdHeader,
      ...(isLimit && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: {
      'application/json': {
        schema: schemas.of(schemaOf(Failure)),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Every answer of a route that is an error, by status. */
export function failuresOf(operation: Operation, hasBody: boolean, schemas: Schemas): Record<string, object> {
  const refusals = codesOf(operation, hasBody).map(code => new Refusal(code))
  const byStatus = Map.groupBy(refusals, ({ status }) => status)
  const catalogued = [...byStatus].map(([status, refused]) => {
    const words = refused.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n')
    return [status, answer(refused, words, schemas)]
  })
  const others = Object.entries(operation.failures ?? {}).map(([status, words]) => {
    return [status, answer([new Refusal('internal_error')], words, schemas)]
  })
  return Object.fromEntries([...catalogued, ...others])
}
