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
