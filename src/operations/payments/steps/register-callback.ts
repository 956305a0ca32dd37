import type { Attempt } from '../../../domain/attempt.ts'
import type { Context } from '../../context.ts'

const SECRET_BYTES = 32

/** Where a provider calls back for one attempt, and the secret that proves that it was told so. */
export function registerCallback(
  context: Context,
  providerId: string,
  attemptId: string,
): Pick<Attempt, 'callbackUrl' | 'callbackSecret'> {
  const secret = Buffer.from(context.ids.random(SECRET_BYTES)).toString('base64url')
  return {
    callbackUrl: `${context.policy.checkoutUrl}/callback/${providerId}?attempt=${attemptId}&secret=${secret}`,
    callbackSecret: secret,
  }
}
