import type { AttemptAtProvider } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import { fiatCurrency } from '../../domain/fiat.ts'
import { amountOf } from '../../domain/money.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { ProviderError, type ProviderReversal, type Providers } from '../../providers/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { toProviderAttempt } from '../merchants/steps/provider-attempt.ts'
import { recordReversals } from '../refunds/record-reversals.ts'
import { type Refunding, refundingProvider } from '../refunds/send.ts'
import type { ApplyContext } from '../settlement/apply.ts'
import { reviewOrder } from '../settlement/record.ts'
import { resolveUnmatched } from './unmatched.ts'

type RefundContext = AuditContext & ApplyContext & Pick<Context, 'storage' | 'providers' | 'secrets'>

/** True if Florin can send a payment back: a card provider took it into the merchant's own account. */
export const canSendBack = (providers: Providers, { source, assetId }: IncomingPayment): boolean =>
  providers.find(source)?.charge?.refund !== undefined && fiatCurrency(assetId) !== null

/**
 * Refunds an unmatched payment through the provider that took it, and resolves it. The order and its refunds
 * do not change. Repeating it after a lost answer pays nothing more. The refund is stored before the provider
 * is asked, so that nobody accepts the payment and it pays no order while it is sent back.
 */
export async function refundUnmatched(context: RefundContext, merchantId: string, id: string): Promise<void> {
  const claimed = await context.storage.write(tables => claim(context, tables, merchantId, id))
  const reversal = await send(context, claimed)
  await recordReversals(context, claimed.attempt, [reversal])
  if (reversal.status === 'failed') {
    throw new Refusal('order_not_refundable', 'The provider refused the refund. Send it back there.')
  }
  const { amount, currency, reference } = reversal
  const note = `${amount} ${currency}: ${claimed.attempt.provider} ${reference}`
  await resolveUnmatched(context, merchantId, id, note)
}

/** A refund that was stored, and what the provider has to know about it. */
interface Claimed {
  refundId: string
  attempt: AttemptAtProvider
  provider: Refunding
  paymentId: string
  amount: string
  currency: string
}

async function claim(
  context: RefundContext,
  tables: Tables,
  merchantId: string,
  id: string,
): Promise<Claimed> {
  const payment = await tables.unmatched.find(id)
  if (payment?.merchantId !== merchantId) {
    throw new Refusal('not_found', 'No unmatched payment has this ID.')
  }
  if (payment.status !== 'open') throw new Refusal('conflict', `This payment is already ${payment.status}.`)
  const attempt = await tables.attempts.find(payment.attemptId)
  const arrived = await tables.incomingPayments.listOf(payment.attemptId)
  const incoming = arrived.find(one => one.id === payment.incomingPaymentId)
  const currency = incoming ? fiatCurrency(incoming.assetId) : null
  if (!incoming || currency === null || attempt?.provider == null) throw notRefundable()
  const provider = refundingProvider(context.providers, attempt)
  if (provider === null) throw notRefundable()
  const refundId = `unmatched-${id}`
  const amount = amountOf(incoming.amountAtomic, currency)
  const now = context.clock()
  const known = await tables.reversals.find(refundId)
  if (known?.status === 'failed') await tables.reversals.update(refundId, { status: 'asked', updatedAt: now })
  if (known === null) {
    await tables.reversals.insert({
      ...{ id: refundId, merchantId, orderId: payment.orderId, attemptId: attempt.id },
      ...{ provider: provider.id, reference: null, kind: 'refund', status: 'asked', amount, currency },
      ...{ refundId: null, idempotencyKey: null, reason: null, createdBy: null },
      ...{ createdAt: now, updatedAt: now },
    })
  }
  await reviewOrder(context, tables, payment.orderId)
  return { refundId, attempt, provider, paymentId: incoming.txIn ?? incoming.txId, amount, currency }
}

const notRefundable = () =>
  new Refusal(
    'order_not_refundable',
    'This payment cannot be refunded through a provider. Send the money yourself, and resolve the payment.',
  )

async function send(
  context: RefundContext,
  { refundId, attempt, provider, ...payment }: Claimed,
): Promise<ProviderReversal> {
  try {
    return await provider.charge.refund({
      ...{ ...payment, refundId, reference: null, reason: 'second payment' },
      attempt: await toProviderAttempt(context, attempt),
    })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    context.log.warn({ provider: attempt.provider, reason: error.message }, 'refund.send.failed')
    // The provider may have carried out a refund whose answer was lost, so the payment stays claimed.
    if (error.kind !== 'refused') {
      throw new Refusal('provider_unavailable', 'The provider does not answer. Try again.')
    }
    await context.storage.write(tables => release(context, tables, refundId))
    throw notRefundable()
  }
}

/** Marks a refund as failed that its provider refused: the payment can be accepted again. */
async function release(context: RefundContext, tables: Tables, refundId: string): Promise<void> {
  const known = await tables.reversals.find(refundId)
  if (known?.status !== 'asked') return
  await tables.reversals.update(refundId, { status: 'failed', updatedAt: context.clock() })
  await reviewOrder(context, tables, known.orderId)
}
