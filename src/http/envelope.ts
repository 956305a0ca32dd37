import type { Refusal } from '../domain/errors.ts'

export const success = <T>(data: T): { success: true; data: T } => ({ success: true, data })

export const failure = (refusal: Refusal, requestId: string) => ({
  success: false as const,
  error: {
    code: refusal.code,
    message: refusal.message,
    requestId,
    ...(refusal.details !== undefined && { details: refusal.details }),
  },
})

export const failureResponse = (refusal: Refusal, requestId: string): Response =>
  new Response(JSON.stringify(failure(refusal, requestId)), {
    status: refusal.status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      ...(refusal.retryAfterSeconds !== undefined && { 'retry-after': String(refusal.retryAfterSeconds) }),
    },
  })
