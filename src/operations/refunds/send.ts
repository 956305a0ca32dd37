import type { Attempt, AttemptAtProvider } from '../../domain/attempt.ts'
import { assert, asserted } from '../../domain/errors.ts'
import type { Reversal } from '../../domain/reversal.ts'
import {
  type FiatCharge,
  type Provider,
  ProviderError,
  type ProviderReversal,
  type Providers,
} from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { toProviderAttempt } from '../merchants/steps/provider-attempt.ts'
import { notifyMerchant } from '../notices/notify.ts'
import { recordReversals } from './record-reversals.ts'

const RETRY_MS = 10 * 60_000
const PENDING_MS = 6 * 3600_000
/** Pending refunds are looked up for this long. A bank that has not taken a refund by then never will. */
const PENDING_MAX_MS = 30 * 24 * 3600_000
/**
 * Refunds wait this long for a provider that is missing in the settings, so that a mistake can be corrected.
 */
const MISSING_MS = 3600_000

export type Refunding = Provider & { charge: FiatCharge & Required<Pick<FiatCharge, 'refund'>> }

/** The provider of a payment, if it pays money back when Florin asks. */
export function refundingProvider(providers: Providers, { provider }: Attempt): Refunding | null {
  const found = provider === null ? undefined : providers.find(provider)
  return found?.charge?.refund ? (found as Refunding) : null
}

/**
 * Sends a requested refund to its provider, or fetches the state of a refund that is pending there. Returns
 * the time of the next try; null if the refund is final. Sending a refund again pays nothing more.
 */
export async function sendRefund(context: Context, id: string): Promise<number | null> {
  const sent = await load(context, id)
  const { reversal, attempt } = sent
  if (reversal.status === 'succeeded' || reversal.status === 'failed') return null
  const now = context.clock()
  const provider = refundingProvider(context.providers, attempt)
  try {
    if (provider === null) throw missing(reversal, now)
    const made = await send(context, provider, sent)
    await recordReversals(context, attempt, [made])
    const isOver = now - reversal.createdAt >= PENDING_MAX_MS
    return made.status === 'pending' && !isOver ? now + PENDING_MS : null
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const about = { provider: attempt.provider, orderUUID: reversal.orderId }
    context.log.warn({ ...about, reason: error.message }, 'refund.send.failed')
    if (error.kind === 'unavailable' || reversal.status === 'pending') return now + RETRY_MS
    await fail(context, reversal, provider === null ? 'refund_unsent' : 'refund_refused')
    return null
  }
}

const missing = ({ createdAt }: Reversal, now: number): ProviderError => {
  const kind = now - createdAt >= MISSING_MS ? 'refused' : 'unavailable'
  return new ProviderError(kind, 'the provider is no longer configured')
}

interface Sent {
  reversal: Reversal
  attempt: AttemptAtProvider
  /** the provider's ID of the payment */
  paymentId: string
}

async function send(context: Context, provider: Refunding, of: Sent): Promise<ProviderReversal> {
  const { id: refundId, reference, amount, currency, reason } = of.reversal
  return provider.charge.refund({
    ...{ refundId, reference, amount, currency, reason: reason ?? '' },
    attempt: await toProviderAttempt(context, of.attempt),
    paymentId: of.paymentId,
  })
}

const load = ({ storage }: Pick<Context, 'storage'>, id: string): Promise<Sent> =>
  storage.read(async tables => {
    const reversal = await tables.reversals.find(id)
    const attempt = reversal && (await tables.attempts.find(reversal.attemptId))
    assert(
      reversal && attempt && attempt.provider !== null,
      'a refund is sent to the provider of its attempt',
    )
    const payments = await tables.incomingPayments.listOf(attempt.id)
    const { txIn, txOut } = asserted(
      payments.find(({ settles }) => settles),
      'the refund of an order is sent to a provider that took a part of it',
    )
    return { reversal, attempt, paymentId: txIn ?? txOut ?? '' }
  })

async function fail(
  context: Pick<Context, 'storage' | 'clock' | 'ids'>,
  { id, orderId, amount, currency }: Reversal,
  about: 'refund_refused' | 'refund_unsent',
): Promise<void> {
  const facts = { about, amount: `${amount} ${currency}` }
  await context.storage.write(async tables => {
    const [known, found] = [await tables.reversals.find(id), await tables.orders.find(orderId)]
    assert(known && found, 'a refund belongs to an order')
    if (known.status !== 'asked') return
    await tables.reversals.update(id, { status: 'failed', updatedAt: context.clock() })
    await notifyMerchant(context, tables, found.order, facts)
  })
}
