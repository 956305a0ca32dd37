import type { Context } from '../../context.ts'

const SECRET_BYTES = 32

/** Where a provider calls back about all its charges. Its own signature is the proof. */
export const chargeCallbackUrl = ({ policy }: Pick<Context, 'policy'>, providerId: string): string =>
  `${policy.checkoutUrl}/callback/${providerId}`

/** Where a provider calls back about one attempt. The secret proves that the caller got the URL from us. */
export function registerCallback(
  context: Pick<Context, 'policy' | 'ids'>,
  providerId: string,
  attemptId: string,
): { callbackUrl: string; callbackSecret: string } {
  const secret = Buffer.from(context.ids.random(SECRET_BYTES)).toString('base64url')
  return {
    callbackUrl: `${context.policy.checkoutUrl}/callback/${providerId}?attempt=${attemptId}&secret=${secret}`,
    callbackSecret: secret,
  }
}
