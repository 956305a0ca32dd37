import type { Locale } from '../../views/locale.ts'
import type { ReceiptModel, ReceivedModel } from '../../views/receipt/model.ts'
import type { Attempt } from '../domain/attempt.ts'
import { isInTime } from '../domain/coverage.ts'
import { amountOf, fromUnitsShort, minorOf } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Receipt, ReceivedPayment } from '../operations/payments/load-receipt.ts'
import { coinName, money, price, tickerOf } from './amounts.ts'
import { referenceOf } from './checkout.ts'
import { presentTransactionLink, type TransactionContext } from './explorer.ts'
import { presentShop } from './shop.ts'

type ReceiptContext = TransactionContext

/** What is left of an order's amount after refunds; null without refunds. */
function afterRefunds({ amount, currency, refundedAmount }: Order): string | null {
  if (refundedAmount === null) return null
  return amountOf(minorOf(amount, currency) - minorOf(refundedAmount, currency), currency)
}

/** What arrived in a coin, in the decimals of its attempt. A charge in fiat shows only the order's total. */
const coinsOf = (attempt: Attempt, atomic: bigint): string | null =>
  attempt.kind === 'address'
    ? `${fromUnitsShort(atomic, attempt.decimals)} ${tickerOf(attempt.assetId)}`
    : null

function presentPayment(
  locale: Locale,
  order: Order,
  received: ReceivedPayment,
  context: ReceiptContext,
): ReceivedModel {
  const { attempt, payment } = received
  const isCoin = attempt.kind === 'address'
  return {
    method: isCoin
      ? coinName(locale, context.asset(attempt.assetId)?.name ?? attempt.methodName)
      : attempt.methodName,
    received: coinsOf(attempt, payment.amountAtomic),
    // A late payment counts at the rate of its own time.
    rate:
      isCoin && attempt.rate !== null && isInTime(attempt, payment)
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
  const shown = (amount: string) => money(locale, { amount, currency: order.currency })
  return {
    orderId: order.id,
    shop: presentShop(merchant),
    reference: referenceOf(order),
    item: order.productName ?? order.description,
    total: money(locale, order),
    paidAt: formatTimestamp(order.paidAt ?? order.updatedAt),
    payments: payments.map(received => presentPayment(locale, order, received, context)),
    refunds: refunds.map(({ createdAt, amount }) => ({
      at: formatTimestamp(createdAt),
      amount: shown(amount),
    })),
    afterRefunds: left === null ? null : shown(left),
  }
}
