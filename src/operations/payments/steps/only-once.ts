import type { AddressAttempt, OwnAttempt } from '../../../domain/attempt.ts'
import { assert, Refusal } from '../../../domain/errors.ts'
import { quoteStep, SHARED_REST_MS } from '../../../domain/quote.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { networkAway, storedReference } from './open-target.ts'

type OnceContext = Pick<Context, 'networks' | 'log'>

/** Max attempts that can ask for the same amount at a shared address at the same time. */
const SHARED_MAX = 1000n

/** Raises the amount until no other attempt at the same shared address asks for it. It is never lowered. */
export async function withDistinctAmount(
  context: OnceContext,
  tables: Tables,
  label: string,
  attempt: OwnAttempt,
): Promise<OwnAttempt> {
  const { address, assetId, createdAt } = attempt
  const asset = context.networks.asset(assetId)
  assert(asset, 'an attempt that is opened has an asset')
  const step = quoteStep(asset)
  for (let steps = 0n; steps < SHARED_MAX; steps++) {
    const dueAtomic = attempt.dueAtomic + steps * step
    if (await tables.attempts.isShared(address, assetId, dueAtomic, createdAt - SHARED_REST_MS)) continue
    return {
      ...attempt,
      dueAtomic,
      thresholdAtomic: dueAtomic,
      paymentUri: context.networks.uri(asset, address, dueAtomic, label),
    }
  }
  throw new Refusal(
    'provider_unavailable',
    'Too many buyers are paying this amount at the moment. Choose another method.',
  )
}

/** Refuses an invoice that its wallet has issued before: one payment would pay two orders. */
export async function takeInvoice(
  { log }: OnceContext,
  tables: Tables,
  { id, addressSource }: AddressAttempt,
): Promise<void> {
  const { reference } = storedReference(addressSource)
  if (reference === undefined || (await tables.lightningInvoices.take(reference, id))) return
  log.warn({ attemptId: id }, 'invoice.repeated')
  throw networkAway()
}
