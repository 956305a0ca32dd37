import type { Context } from '../../context.ts'

const SECRET_BYTES = 32

/** The URL at which a provider calls back about all its charges. The provider's signature is the proof. */
export const chargeCallbackUrl = ({ policy }: Pick<Context, 'policy'>, providerId: string): string =>
  `${policy.checkoutUrl}/callback/${providerId}`

/**
 * The URL for callbacks about one attempt. Its secret proves that the caller received the URL from Florin.
 */
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
