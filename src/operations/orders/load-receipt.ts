import type { Attempt } from '../../domain/attempt.ts'
import { Refusal } from '../../domain/errors.ts'
import { type Amount, amountOf, minorOf } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import type { ValuedPayment } from '../../domain/payment-news.ts'
import { VALUE_UNIT } from '../../domain/quote.ts'
import type { Receipt } from '../../domain/receipt.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { LoadContext } from '../settlement/load.ts'
import { loadPaymentValues } from './steps/payment-values.ts'

const REFUNDS_MAX = 100

/** The receipt of an order; null if it is not paid. Orders of a suspended merchant are not found. */
export async function loadReceipt(
  context: LoadContext & Pick<Context, 'storage'>,
  orderId: string,
): Promise<Receipt | null> {
  const receipt = await context.storage.read(tables => readReceipt(context, tables, orderId))
  if (receipt === null)
    throw new Refusal('not_found', 'There is no such order.', { reason: { kind: 'order_unknown' } })
  return receipt.order.status === 'PAID' ? receipt : null
}

/**
 * An order with the payments that paid it so far; null if it does not exist, or its merchant is suspended.
 */
export async function readReceipt(
  context: LoadContext,
  tables: Tables,
  orderId: string,
): Promise<Receipt | null> {
  const found = await tables.orders.find(orderId)
  const merchant = found && (await tables.merchants.find(found.order.merchantId))
  if (!merchant || merchant.status === 'suspended') return null
  return {
    ...found,
    merchant,
    payments: await loadSettling(context, tables, found.order),
    refunds: (await tables.refunds.list(orderId, REFUNDS_MAX, null)).reverse(),
    hasInvoice: merchant.invoicing !== null && (await tables.invoices.listOf(orderId)).length > 0,
  }
}

/** The payments that count towards the order, oldest first. */
async function loadSettling(context: LoadContext, tables: Tables, order: Order): Promise<ValuedPayment[]> {
  const attempts = await tables.attempts.listOf(order.id)
  const payments = (await tables.incomingPayments.listOfOrder(order.id)).filter(({ settles }) => settles)
  const values = await loadPaymentValues(context, tables, order.id)
  const settling = attempts.flatMap(attempt => {
    const own = payments.filter(({ attemptId }) => attemptId === attempt.id)
    return own.map(payment => {
      const value = values.get(payment.id) ?? null
      return { attempt, payment, value: own.length === 1 ? wholeOf(attempt, value, order) : value }
    })
  })
  return settling.sort((a, b) => a.payment.paidAt - b.payment.paidAt)
}

/**
 * The value of a payment as a receipt shows it. A provider keeps its fee from a payment on its page, but the
 * payment counts as a whole.
 */
function wholeOf({ kind, credited }: Attempt, value: Amount | null, { currency }: Order): Amount | null {
  const counted = credited / VALUE_UNIT
  const isMore = kind === 'redirect' && value !== null && counted > minorOf(value, currency)
  return isMore ? amountOf(counted, currency) : value
}
