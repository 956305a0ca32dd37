import type { Attempt } from '../../domain/attempt.ts'
import { assert } from '../../domain/errors.ts'
import type { Refund } from '../../domain/refund.ts'
import { type FiatCharge, ProviderError, type Providers } from '../../providers/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { toProviderAttempt } from '../merchants/steps/provider-attempt.ts'
import { notifyMerchant } from '../notices/notify.ts'

const RETRY_MS = 10 * 60_000
/**
 * Refunds wait this long for a provider that is missing in the settings, so that a mistake can be corrected.
 */
const MISSING_MS = 3600_000

const chargeOf = (providers: Providers, { provider }: Attempt): FiatCharge | undefined =>
  provider === null ? undefined : providers.find(provider)?.charge

/** True if the provider that took a payment sends refunds back. Merchants send all others themselves. */
export const isPaidBack = (providers: Providers, attempt: Attempt): boolean =>
  chargeOf(providers, attempt)?.refund !== undefined

/**
 * Schedules sending a recorded refund, if the provider that took the payment can send it back. All other
 * refunds are only records of what the merchant sent.
 */
export async function scheduleRefund(
  { providers, clock }: Pick<Context, 'clock' | 'providers'>,
  tables: Tables,
  refund: Refund,
  attempt: Attempt,
): Promise<void> {
  if (!isPaidBack(providers, attempt)) return
  const lane = `refund:${attempt.provider}`
  await tables.jobs.schedule({ kind: 'refund.send', subject: refund.id, lane, dueAt: clock() })
}

/**
 * Sends a recorded refund to its provider. Returns when to try again; null if it was sent, or cannot be: then
 * the merchant is notified. The refund's ID prevents a repeated request from paying twice.
 */
export async function sendRefund(context: Context, refundId: string): Promise<number | null> {
  const { refund, transaction, attempt } = await loadRefund(context, refundId)
  const charge = chargeOf(context.providers, attempt)
  const isMissed = !charge?.refund && context.clock() - refund.createdAt >= MISSING_MS
  try {
    if (!charge?.refund) {
      throw new ProviderError(isMissed ? 'refused' : 'unavailable', 'the provider is no longer configured')
    }
    await charge.refund({
      refundId,
      attempt: await toProviderAttempt(context, attempt),
      paymentId: transaction.transactionRef ?? '',
      amount: refund.amount,
      currency: refund.currency,
      reason: refund.reason,
    })
    return null
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const { provider } = attempt
    context.log.warn({ provider, orderUUID: refund.orderId, reason: error.message }, 'refund.send.failed')
    if (error.kind === 'unavailable') return context.clock() + RETRY_MS
    await notifyUnsent(context, refund, isMissed ? 'refund_unsent' : 'refund_refused')
    return null
  }
}

const loadRefund = ({ storage }: Pick<Context, 'storage'>, refundId: string) =>
  storage.read(async tables => {
    const refund = await tables.refunds.find(refundId)
    const found = refund && (await tables.transactions.find(refund.transactionId))
    const attempt = found && (await tables.attempts.find(found.transaction.attemptId))
    assert(refund && found, 'a refund belongs to a transaction')
    assert(attempt && attempt.provider !== null, 'a refund is sent to the provider of its attempt')
    return { refund, transaction: found.transaction, attempt }
  })

async function notifyUnsent(
  context: Pick<Context, 'storage' | 'clock' | 'ids'>,
  { orderId, amount, currency }: Refund,
  about: 'refund_refused' | 'refund_unsent',
): Promise<void> {
  const facts = { about, amount: `${amount} ${currency}` }
  await context.storage.write(async tables => {
    const found = await tables.orders.find(orderId)
    assert(found, 'a refund belongs to an order')
    await notifyMerchant(context, tables, found.order, facts)
  })
}
