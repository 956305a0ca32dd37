import type { AttemptAtProvider } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import { fiatCurrency } from '../../domain/fiat.ts'
import { amountOf } from '../../domain/money.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { ProviderError, type ProviderReversal, type Providers } from '../../providers/port.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { toProviderAttempt } from '../merchants/steps/provider-attempt.ts'
import { recordReversals } from '../refunds/record-reversals.ts'
import { refundingProvider } from '../refunds/send.ts'
import type { ApplyContext } from '../settlement/apply.ts'
import { resolveUnmatched } from './unmatched.ts'

type RefundContext = AuditContext & ApplyContext & Pick<Context, 'storage' | 'providers' | 'secrets'>

/** True if Florin can send a payment back: a card provider took it into the merchant's own account. */
export const canSendBack = (providers: Providers, { source, assetId }: IncomingPayment): boolean =>
  providers.find(source)?.charge?.refund !== undefined && fiatCurrency(assetId) !== null

/**
 * Refunds an unmatched payment through the provider that took it, and resolves it. The order and its refunds
 * do not change. Repeating it after a lost answer pays nothing more.
 */
export async function refundUnmatched(context: RefundContext, merchantId: string, id: string): Promise<void> {
  const { attempt, incoming } = await load(context, merchantId, id)
  const reversal = await send(context, id, attempt, incoming)
  await recordReversals(context, attempt, [reversal])
  if (reversal.status === 'failed') {
    throw new Refusal('order_not_refundable', 'The provider refused the refund. Send it back there.')
  }
  const { amount, currency, reference } = reversal
  await resolveUnmatched(context, merchantId, id, `${amount} ${currency}: ${attempt.provider} ${reference}`)
}

const load = ({ storage }: RefundContext, merchantId: string, id: string) =>
  storage.read(async tables => {
    const payment = await tables.unmatched.find(id)
    if (payment?.merchantId !== merchantId) {
      throw new Refusal('not_found', 'No unmatched payment has this ID.')
    }
    if (payment.status !== 'open') throw new Refusal('conflict', `This payment is already ${payment.status}.`)
    const attempt = await tables.attempts.find(payment.attemptId)
    const known = await tables.incomingPayments.listOf(payment.attemptId)
    const incoming = known.find(one => one.id === payment.incomingPaymentId)
    if (incoming && attempt?.provider != null) return { attempt, incoming }
    throw notRefundable()
  })

const notRefundable = () =>
  new Refusal(
    'order_not_refundable',
    'This payment cannot be refunded through a provider. Send the money yourself, and resolve the payment.',
  )

async function send(
  context: RefundContext,
  id: string,
  attempt: AttemptAtProvider,
  { assetId, amountAtomic, txIn, txId }: IncomingPayment,
): Promise<ProviderReversal> {
  const provider = refundingProvider(context.providers, attempt)
  const currency = fiatCurrency(assetId)
  if (provider === null || currency === null) throw notRefundable()
  try {
    return await provider.charge.refund({
      ...{ refundId: `unmatched-${id}`, reference: null, paymentId: txIn ?? txId },
      ...{ amount: amountOf(amountAtomic, currency), currency, reason: 'second payment' },
      attempt: await toProviderAttempt(context, attempt),
    })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    context.log.warn({ provider: attempt.provider, reason: error.message }, 'refund.send.failed')
    if (error.kind === 'refused') throw notRefundable()
    throw new Refusal('provider_unavailable', 'The provider does not answer. Try again.')
  }
}
