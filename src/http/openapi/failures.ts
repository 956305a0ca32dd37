import { Refusal, type RefusalCode } from '../../domain/errors.ts'
import { failure } from '../envelope.ts'
import { Failure } from '../schema/envelope.ts'
import type { Operation } from './describe.ts'
import { type Schemas, schemaOf } from './schemas.ts'

const REQUEST_ID = '01981f5c-7d2b-7000-8000-0a1b2c3d4e5f'
const details = [
  { path: '/amount', rule: 'must be a decimal number with at most 3 decimal places, such as 25.00' },
]

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const rateLimitHeaders = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
}

/** The headers of each response of a route. */
export const headersOf = (operation: Operation): Record<string, object> => ({
  ...requestIdHeader,
  ...(codesOf(operation, false).includes('rate_limited') && rateLimitHeaders),
})

/** Every code that a route can refuse with: its own, and those of its access rule. */
function codesOf({ access, login, refusals = [] }: Operation, hasBody: boolean): RefusalCode[] {
  const codes: RefusalCode[] = [...refusals, 'internal_error']
  if (access !== 'public') codes.push('validation_error', 'storage_unavailable', 'rate_limited')
  if (typeof access === 'object') {
    codes.push('unauthorized', 'invalid_api_key', 'merchant_suspended')
    if (access.live) codes.push('live_key_required')
    if (access.test) codes.push('test_key_required')
    if (access.scope) codes.push('insufficient_scope')
  }
  if (login) codes.push('forbidden')
  if (hasBody) codes.push('body_too_large')
  return codes
}

const exampleOf = (refusal: Refusal): object => ({
  value: failure(
    refusal.code === 'validation_error' ? new Refusal(refusal.code, undefined, { details }) : refusal,
    REQUEST_ID,
  ),
})

/** The error response of a route for one status, with the codes that have this status. */
function responseOf(
  operation: Operation,
  refusals: Refusal[],
  description: string,
  schemas: Schemas,
): object {
  const codes = refusals.map(({ code }) => code)
  const examples = refusals.map(refusal => [
    refusal.code,
    schemas.exampleNamed(refusal.code, exampleOf(refusal)),
  ])
  const hasRetryAfter = refusals.some(({ code }) => code === 'rate_limited' || code === 'storage_unavailable')
  return {
    description,
    'x-codes': codes,
    headers: {
      ...headersOf(operation),
      ...(hasRetryAfter && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: {
      'application/json': {
        schema: schemas.of(schemaOf(Failure)),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Every error response of a route, by status. */
export function failuresOf(operation: Operation, hasBody: boolean, schemas: Schemas): Record<string, object> {
  const refusals = codesOf(operation, hasBody).map(code => new Refusal(code))
  const byStatus = Map.groupBy(refusals, ({ status }) => status)
  const responses = [...byStatus].map(([status, group]) => {
    const description = group.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n')
    return [status, responseOf(operation, group, description, schemas)]
  })
  return Object.fromEntries(responses)
}
