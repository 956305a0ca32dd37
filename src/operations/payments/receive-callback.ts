import { timingSafeEqual } from 'node:crypto'
import type { Attempt } from '../../domain/attempt.ts'
import { LostRace, Refusal } from '../../domain/errors.ts'
import { type Inbound, InvalidProof, ProviderError } from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { recordProviderPayments, storedAttempt } from './steps/record-provider-payments.ts'

const sameText = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Takes a provider's callback and answers what the provider wants to hear, for duplicates too. Refuses with
 * forbidden what is not proven, and with provider_unavailable what cannot be proven now, so that the provider
 * calls again.
 */
export async function receiveCallback(
  context: Context,
  providerId: string,
  attemptId: string,
  secret: string,
  inbound: Inbound,
): Promise<string> {
  const attempt = await findVerified(context, providerId, attemptId, secret)
  const provider = context.providers.find(providerId)
  if (!provider) throw new Refusal('not_found')
  // The provider was faster than our own record of its answer.
  if (!attempt.providerRef) throw new Refusal('provider_unavailable')
  try {
    const facts = await provider.receive(inbound, storedAttempt(attempt))
    await recordProviderPayments(context, attempt, facts, context.clock())
    return provider.acknowledgement
  } catch (error) {
    if (error instanceof InvalidProof) {
      context.log.warn({ provider: providerId, attemptId, fault: error.message }, 'a callback was not proven')
      throw new Refusal('forbidden')
    }
    if (error instanceof ProviderError || error instanceof LostRace) throw new Refusal('provider_unavailable')
    throw error
  }
}

async function findVerified(
  context: Context,
  providerId: string,
  attemptId: string,
  secret: string,
): Promise<Attempt> {
  const attempt = await context.storage.read(tables => tables.attempts.find(attemptId))
  const isProven = sameText(attempt?.callbackSecret ?? 'none', secret)
  if (!attempt || !isProven || attempt.provider !== providerId) throw new Refusal('forbidden')
  return attempt
}
