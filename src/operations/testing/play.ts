import type { PageAttempt } from '../../domain/attempt.ts'
import { isOpen } from '../../domain/attempt.ts'
import { asserted, Refusal } from '../../domain/errors.ts'
import { amountOf, minorOf } from '../../domain/money.ts'
import { isTestShop, TEST_PROVIDER, type TestOutcome } from '../../domain/test-shop.ts'
import type { ProviderPayment } from '../../providers/port.ts'
import type { Context } from '../context.ts'
import { cancelOrder } from '../orders/cancel.ts'
import { endOrder } from '../orders/end.ts'
import { type Checkout, loadCheckout } from '../payments/load-checkout.ts'
import { provisionAttempt } from '../payments/open-provider.ts'
import { recordProviderPayments } from '../payments/steps/record-provider-payments.ts'
import { executeRefund } from '../refunds/execute.ts'

/** The author of refunds and cancellations on the page of a test order. */
const BY = 'test page'

/** Returns a test order. Throws not_found for a live order, which has another page. */
export async function loadTestCheckout(
  context: Pick<Context, 'storage' | 'networks' | 'clock'>,
  orderId: string,
): Promise<Checkout> {
  const checkout = await loadCheckout(context, orderId)
  if (isTestShop(checkout.order.merchantId)) return checkout
  throw new Refusal('not_found', 'There is no such order.', { reason: { kind: 'order_unknown' } })
}

/**
 * Simulates an event of a test order. Only the report of the provider is simulated: what follows from it is
 * decided and recorded as for any other payment.
 */
export async function playTestPayment(
  context: Context,
  orderId: string,
  outcome: TestOutcome,
  language = 'en',
): Promise<void> {
  const { order } = await loadTestCheckout(context, orderId)
  const { merchantId, status } = order
  switch (outcome) {
    case 'expired':
      await endOrder(context, merchantId, orderId)
      return
    case 'cancelled':
      await cancelOrder(context, merchantId, orderId, BY, null)
      return
    case 'refunded': {
      const body = { reason: 'Refunded on the page of the test order' }
      await executeRefund(context, { merchantId, orderId, idempotencyKey: context.ids.uuid(), by: BY, body })
      return
    }
    case 'late': {
      const attempt = status === 'EXPIRED' ? await lastAttempt(context, orderId) : null
      const late = attempt ?? (await openAttempt(context, orderId, language))
      if (status === 'UNPAID') await endOrder(context, merchantId, orderId)
      return report(context, late, 'paid', order.currency)
    }
    default:
      return report(context, await openAttempt(context, orderId, language), outcome, order.currency)
  }
}

/**
 * Opens a payment of what is left, unless a payment waits for its confirmation. Refuses an order that cannot
 * be paid any more.
 */
async function openAttempt(context: Context, orderId: string, language: string): Promise<PageAttempt> {
  const last = await lastAttempt(context, orderId)
  if (last?.state === 'confirming') return last
  await provisionAttempt(context, orderId, TEST_PROVIDER, language)
  return asserted(await lastAttempt(context, orderId), 'a payment was just opened')
}

async function lastAttempt(context: Context, orderId: string): Promise<PageAttempt | null> {
  const attempts = await context.storage.read(tables => tables.attempts.listOf(orderId))
  const pages = attempts.filter(attempt => attempt.kind === 'redirect')
  return pages.findLast(isOpen) ?? pages.at(-1) ?? null
}

/** The paid amount of each outcome, in halves of the requested amount. */
const halves = { paid: 2n, pending: 2n, underpaid: 1n, overpaid: 4n, failed: 0n } as const

/** Reports a payment as a real provider would. */
async function report(
  context: Context,
  attempt: PageAttempt,
  outcome: keyof typeof halves,
  currency: string,
): Promise<void> {
  const known = await context.storage.read(tables => tables.incomingPayments.listOf(attempt.id))
  const pending = known.find(({ state }) => state === 'seen')
  const minor = (minorOf(attempt.priced, currency) * halves[outcome]) / 2n
  const status = outcome === 'pending' || outcome === 'failed' ? outcome : 'settled'
  const payment: ProviderPayment = {
    status,
    proof: 'signature',
    txIn: pending?.txId ?? `test_${context.ids.uuid()}`,
    txOut: null,
    assetId: attempt.assetId,
    amount: minor === 0n ? '0' : amountOf(minor, currency),
    evidence: { test: outcome },
  }
  await recordProviderPayments(context, attempt, [payment], context.clock())
}
