import type { Locale } from '../../views/locale.ts'
import type { TestOrderModel } from '../../views/test-order/page.ts'
import { leftMinor } from '../domain/attempt.ts'
import { amountOf, minorOf } from '../domain/money.ts'
import { isRefundable } from '../domain/refund.ts'
import type { TestOutcome } from '../domain/test-shop.ts'
import type { Checkout } from '../operations/payments/load-checkout.ts'
import { money } from './amounts.ts'
import { orderUrl, referenceOf } from './checkout.ts'
import { presentShopFor } from './help.ts'

function stateOf({ order: { status, paymentState, refundStatus } }: Checkout): TestOrderModel['state'] {
  switch (status) {
    case 'UNPAID':
      if (paymentState === 'CONFIRMING') return 'confirming'
      return paymentState === 'PART_PAID' ? 'partPaid' : 'open'
    case 'PAID':
      return refundStatus === 'FULL' ? 'refunded' : 'paid'
    case 'EXPIRED':
      return 'expired'
    case 'CANCELLED':
      return 'cancelled'
    case 'FAILED':
      return 'failed'
  }
}

/** The outcomes that a test order can have now. */
function outcomesOf({ order, attempts }: Checkout): TestOutcome[] {
  const { status, paymentState } = order
  if (status === 'PAID') return isRefundable(order) && order.refundStatus !== 'FULL' ? ['refunded'] : []
  if (status === 'EXPIRED') return attempts.length > 0 ? ['late'] : []
  if (status !== 'UNPAID') return []
  if (paymentState === 'CONFIRMING') return ['paid', 'failed']
  const always = ['paid', 'underpaid', 'overpaid', 'pending', 'failed', 'expired', 'late'] as const
  return attempts.length > 0 ? [...always] : [...always, 'cancelled']
}

export function presentTestOrder(locale: Locale, checkout: Checkout, checkoutUrl: string): TestOrderModel {
  const { order, merchant, attempts } = checkout
  const { currency } = order
  const left = leftMinor(order, attempts)
  const total = minorOf(order.amount, currency)
  const shown = (minor: bigint) => money(locale, { amount: amountOf(minor, currency), currency })
  const topic = { url: orderUrl(locale, checkoutUrl, order.id), method: null, transactionId: null }
  const isPart = order.status === 'UNPAID' && left < total && left > 0n
  const state = stateOf(checkout)
  return {
    orderId: order.id,
    shop: presentShopFor(locale, merchant, { ...topic, reference: referenceOf(order) }),
    reference: referenceOf(order),
    item: order.productName ?? order.description,
    amount: money(locale, order),
    state,
    received: isPart ? { received: shown(total - left), total: shown(total), left: shown(left) } : null,
    outcomes: outcomesOf(checkout).map(outcome => ({
      outcome,
      name: outcome === 'paid' && state === 'confirming' ? 'confirmed' : outcome,
    })),
    returnUrl: order.returnUrl ?? merchant.returnUrl,
  }
}
