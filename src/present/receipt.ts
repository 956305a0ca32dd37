import type { Locale } from '../../views/locale.ts'
import type { ReceiptModel, ReceivedModel } from '../../views/receipt/model.ts'
import { amountOf, minorOf } from '../domain/money.ts'
import type { Order } from '../domain/order.ts'
import type { ValuedPayment } from '../domain/payment-news.ts'
import type { Receipt } from '../domain/receipt.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import { coinName, money, price, tickerOf } from './amounts.ts'
import { orderUrl, referenceOf } from './checkout.ts'
import { presentTransactionLink, type TransactionContext } from './explorer.ts'
import { presentShopFor } from './help.ts'
import { amountIn } from './payment-amounts.ts'
import { taxSentences, vatIdsOf } from './tax.ts'

export interface ReceiptContext extends TransactionContext {
  /** base URL of order pages */
  checkoutUrl: string
}

/** The rest of an order's amount after refunds; null without refunds. */
function afterRefunds({ amount, currency, refundedAmount }: Order): string | null {
  if (refundedAmount === null) return null
  return amountOf(minorOf(amount, currency) - minorOf(refundedAmount, currency), currency)
}

const coinsOf = ({ attempt, payment }: ValuedPayment, context: ReceiptContext): string =>
  `${amountIn(context, attempt, payment)} ${tickerOf(payment.assetId)}`

/** The method of a payment. The merchant may have accepted another coin than was asked for. */
export function methodOf(
  locale: Locale,
  { attempt, payment }: ValuedPayment,
  { asset }: Pick<ReceiptContext, 'asset'>,
): string {
  if (attempt.kind !== 'address') return attempt.methodName
  const name = asset(payment.assetId)?.name
  const isAsked = payment.assetId === attempt.assetId
  return coinName(locale, name ?? (isAsked ? attempt.methodName : payment.assetId))
}

/**
 * The received coins, or the money that was paid through a provider. The value of a single payment is left
 * out: it is the order's total, which the receipt already shows.
 */
function amountsOf(
  locale: Locale,
  { order: { currency }, payments }: Receipt,
  received: ValuedPayment,
  context: ReceiptContext,
): Pick<ReceivedModel, 'received' | 'worth'> {
  const { value, attempt } = received
  const worth = payments.length > 1 && value !== null ? money(locale, { amount: value, currency }) : null
  if (attempt.kind !== 'address') return { received: worth, worth: null }
  return { received: coinsOf(received, context), worth }
}

function presentPayment(
  locale: Locale,
  receipt: Receipt,
  received: ValuedPayment,
  context: ReceiptContext,
): ReceivedModel {
  const { attempt, payment } = received
  const isCoin = attempt.kind === 'address' && payment.assetId === attempt.assetId
  return {
    method: methodOf(locale, received, context),
    ...amountsOf(locale, receipt, received, context),
    // A late payment counts at the rate of its own time.
    rate:
      isCoin && !payment.counts
        ? `1 ${tickerOf(attempt.assetId)} = ${price(locale, attempt.rate, receipt.order.currency)}`
        : null,
    at: formatTimestamp(payment.paidAt),
    transaction: presentTransactionLink(payment, context),
  }
}

export function presentReceipt(locale: Locale, receipt: Receipt, context: ReceiptContext): ReceiptModel {
  const { order, merchant, payments, refunds } = receipt
  const left = afterRefunds(order)
  const shownPayments = payments.map(received => presentPayment(locale, receipt, received, context))
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
    tax: taxSentences(locale, order),
    vatIds: vatIdsOf(order),
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
    invoiceUrl: receipt.hasInvoice ? `/pay/${order.id}/invoice` : null,
  }
}
