import { timingSafeEqual } from 'node:crypto'
import type { AttemptAtProvider } from '../../domain/attempt.ts'
import { LostRace, Refusal } from '../../domain/errors.ts'
import {
  type CallbackTarget,
  type Inbound,
  InvalidProof,
  type Provider,
  ProviderError,
} from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { toProviderAttempt } from '../merchants/steps/provider-attempt.ts'
import { attemptOfPayment } from '../refunds/steps/attempt-of-payment.ts'
import type { CheckContext } from './check-attempts.ts'
import { recordProviderPayments } from './steps/record-provider-payments.ts'

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * The provider of a callback URL. Refuses with not_found if there is no such provider, or if it uses another
 * HTTP method.
 */
export function requireCallbackProvider(
  { providers }: Pick<Context, 'providers'>,
  id: string,
  method: string,
): Provider {
  const provider = providers.find(id)
  if (provider?.callbackMethod !== method) throw new Refusal('not_found')
  return provider
}

/**
 * Records what a callback proves, and returns the acknowledgement that the provider expects, for duplicates
 * too. Refuses with forbidden if the proof is wrong, and with provider_unavailable if it cannot be verified
 * now, so that the provider calls again.
 */
export async function receiveCallback(
  context: CheckContext,
  provider: Provider,
  inbound: Inbound,
): Promise<string> {
  let attemptId: string | null = null
  try {
    const target = provider.identify(inbound)
    if (target === null) return provider.acknowledgement
    const attempt = await findAttempt(context, provider, target)
    if (attempt === null) return provider.acknowledgement
    attemptId = attempt.id
    const payments = await provider.receive(inbound, await toProviderAttempt(context, attempt))
    await recordProviderPayments(context, attempt, payments, context.clock())
    const about = { provider: provider.id, attemptId, orderUUID: attempt.orderId }
    context.log.info({ ...about, payments: payments.length }, 'callback.accepted')
    return provider.acknowledgement
  } catch (error) {
    if (error instanceof InvalidProof) {
      context.log.warn({ provider: provider.id, attemptId, reason: error.message }, 'callback.rejected')
      throw new Refusal('forbidden')
    }
    if (error instanceof ProviderError || error instanceof LostRace) throw new Refusal('provider_unavailable')
    throw error
  }
}

/** The attempt of a callback; null if the callback can be ignored. */
async function findAttempt(
  { storage }: Pick<Context, 'storage'>,
  { id: providerId, unknownReference }: Provider,
  target: CallbackTarget,
): Promise<AttemptAtProvider | null> {
  if ('paymentId' in target) return attemptOfPayment({ storage }, providerId, target.paymentId)
  if ('reference' in target) {
    const attempt = await storage.read(tables =>
      tables.attempts.findByReference(providerId, target.reference),
    )
    if (attempt || unknownReference === 'ignored') return attempt
    throw new Refusal(unknownReference === 'again' ? 'not_found' : 'forbidden')
  }
  const { attemptId, secret } = target
  const found = await storage.read(
    async ({ attempts }) => (await attempts.find(attemptId)) ?? attempts.findOpening(attemptId),
  )
  if (found === null || found.provider === null) throw new Refusal('forbidden')
  const isProven = isEqual(found.callbackSecret ?? '', secret) && secret !== ''
  if (!isProven || found.provider !== providerId) throw new Refusal('forbidden')
  // The provider called back before its answer to the opening was stored, so it has to call again.
  if (found.kind === 'opening') throw new Refusal('provider_unavailable')
  return found
}
