import type { AttemptAtProvider } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import { fiatCurrency } from '../../domain/fiat.ts'
import { amountOf } from '../../domain/money.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Reversal } from '../../domain/reversal.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import { isSendBack, leftOf, sendBackId } from '../../domain/taken-back.ts'
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
 * Refunds what is left of an unmatched payment through the provider that took it, resolves the payment, and
 * returns the amount. The order and its refunds do not change. Repeating it after a lost answer pays nothing
 * more. The refund is stored before the provider is asked, so that nobody accepts the payment and it pays no
 * order while it is sent back.
 */
export async function refundUnmatched(
  context: RefundContext,
  merchantId: string,
  id: string,
): Promise<string> {
  const claimed = await context.storage.write(tables => claim(context, tables, merchantId, id))
  const reversal = await send(context, claimed)
  await recordReversals(context, claimed.attempt, [reversal])
  if (reversal.status === 'failed') {
    throw new Refusal('order_not_refundable', 'The provider refused the refund. Send it back there.')
  }
  const { amount, currency, reference } = reversal
  const sum = `${amount} ${currency}`
  await resolveUnmatched(context, merchantId, id, `${sum}: ${claimed.attempt.provider} ${reference}`)
  return sum
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
  const asked = { payment, incoming, currency, provider: provider.id }
  const { id: refundId, amount } = await claimRefund(tables, asked, context.clock())
  await reviewOrder(context, tables, payment.orderId)
  return { refundId, attempt, provider, paymentId: incoming.txIn ?? incoming.txId, amount, currency }
}

/**
 * Stores the refund of an unmatched payment, or finds the one that its provider has not answered. Another
 * amount needs another ID, because providers refuse to repeat a request with other values.
 */
async function claimRefund(
  tables: Tables,
  asked: { payment: UnmatchedPayment; incoming: IncomingPayment; currency: string; provider: string },
  now: number,
): Promise<Pick<Reversal, 'id' | 'amount'>> {
  const { payment, incoming, currency, provider } = asked
  const reversals = await tables.reversals.listOf(payment.orderId)
  const sent = reversals.find(one => isSendBack(payment.id, one) && one.status !== 'failed')
  if (sent) return sent
  const left = leftOf(payment, incoming, reversals)
  if (left === 0n) {
    const message =
      'This payment was refunded or disputed at the provider, and nothing is left of it. Resolve it.'
    throw new Refusal('order_not_refundable', message)
  }
  const amount = amountOf(left, currency)
  const id = `${sendBackId(payment.id)}${left === incoming.amountAtomic ? '' : `-${left}`}`
  if (reversals.some(one => one.id === id)) {
    await tables.reversals.update(id, { status: 'asked', updatedAt: now })
    return { id, amount }
  }
  const { merchantId, orderId, attemptId } = payment
  await tables.reversals.insert({
    ...{ id, merchantId, orderId, attemptId, provider, reference: null, kind: 'refund', status: 'asked' },
    ...{ amount, currency, refundId: null, idempotencyKey: null, reason: null, createdBy: null },
    ...{ createdAt: now, updatedAt: now },
  })
  return { id, amount }
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
