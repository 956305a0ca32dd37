import type { Locale } from '../../views/locale.ts'
import type { ReceiptModel, ReceivedModel } from '../../views/receipt/model.ts'
import { amountOf, minorOf } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import type { Receipt, ReceivedPayment } from '../domain/receipt.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { coinName, money, price, tickerOf } from './amounts.ts'
import { orderUrl, referenceOf } from './checkout.ts'
import { presentTransactionLink, type TransactionContext } from './explorer.ts'
import { presentShopFor } from './help.ts'
import { amountIn } from './payment-amounts.ts'

export interface ReceiptContext extends TransactionContext {
  /** where pages of orders are */
  checkoutUrl: string
}

/** What is left of an order's amount after refunds; null without refunds. */
function afterRefunds({ amount, currency, refundedAmount }: Order): string | null {
  if (refundedAmount === null) return null
  return amountOf(minorOf(amount, currency) - minorOf(refundedAmount, currency), currency)
}

/** What arrived in a coin. A charge in fiat shows only the order's total. */
const coinsOf = ({ attempt, payment }: ReceivedPayment, context: ReceiptContext): string | null =>
  attempt.kind === 'address' ? `${amountIn(context, attempt, payment)} ${tickerOf(payment.assetId)}` : null

/** The merchant may have accepted another coin than the one that was asked for. */
export function methodOf(
  locale: Locale,
  { attempt, payment }: ReceivedPayment,
  { asset }: Pick<ReceiptContext, 'asset'>,
): string {
  if (attempt.kind !== 'address') return attempt.methodName
  const name = asset(payment.assetId)?.name
  const isAsked = payment.assetId === attempt.assetId
  return coinName(locale, name ?? (isAsked ? attempt.methodName : payment.assetId))
}

function presentPayment(
  locale: Locale,
  order: Order,
  received: ReceivedPayment,
  context: ReceiptContext,
): ReceivedModel {
  const { attempt, payment } = received
  const isCoin = attempt.kind === 'address' && payment.assetId === attempt.assetId
  return {
    method: methodOf(locale, received, context),
    received: coinsOf(received, context),
    // A late payment counts at the rate of its own time.
    rate:
      isCoin && payment.paidAt <= attempt.graceUntil
        ? `1 ${tickerOf(attempt.assetId)} = ${price(locale, attempt.rate, order.currency)}`
        : null,
    at: formatTimestamp(payment.paidAt),
    transaction: presentTransactionLink(payment, context),
  }
}

/** The receipt of a paid order. */
export function presentReceipt(locale: Locale, receipt: Receipt, context: ReceiptContext): ReceiptModel {
  const { order, merchant, payments, refunds } = receipt
  const left = afterRefunds(order)
  const shownPayments = payments.map(received => presentPayment(locale, order, received, context))
  const last = shownPayments.at(-1)
  const topic = {
    reference: referenceOf(order),
    url: orderUrl(locale, context.checkoutUrl, order.id),
    method: last?.method ?? null,
    transactionId: last?.transaction?.id ?? null,
  }
  const shown = (amount: string) => money(locale, { amount, currency: order.currency })
  return {
    orderId: order.id,
    shop: presentShopFor(locale, merchant, topic),
    reference: topic.reference,
    item: order.productName ?? order.description,
    total: money(locale, order),
    paidAt: formatTimestamp(order.paidAt ?? order.updatedAt),
    payments: shownPayments,
    refunds: refunds.map(({ createdAt, amount }) => ({
      at: formatTimestamp(createdAt),
      amount: shown(amount),
    })),
    afterRefunds: left === null ? null : shown(left),
  }
}
