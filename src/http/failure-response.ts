import type { Refusal } from '../domain/errors.ts'
import { failure } from './envelope.ts'

/** The response to a request that no route has seen. */
export const failureResponse = (refusal: Refusal, requestId: string): Response =>
  new Response(JSON.stringify(failure(refusal, requestId)), {
    status: refusal.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    },
  })
