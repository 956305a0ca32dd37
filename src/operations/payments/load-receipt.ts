import type { Attempt } from '../../domain/attempt.ts'
import { BuyerRefusal } from '../../domain/errors.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Refund } from '../../domain/refund.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import type { OrderView } from '../orders/view.ts'

const REFUNDS_MAX = 100

/** A payment that is part of what paid the order, with the attempt that it was made for. */
export interface ReceivedPayment {
  attempt: Attempt
  payment: IncomingPayment
}

export interface Receipt extends OrderView {
  /** oldest first; empty for an order that was marked as paid manually */
  payments: ReceivedPayment[]
  /** oldest first, the newest of very many */
  refunds: Refund[]
}

/** What paid an order; null if it is not paid. Orders of a suspended merchant are not found. */
export async function loadReceipt(
  { storage }: Pick<Context, 'storage'>,
  orderId: string,
): Promise<Receipt | null> {
  const receipt = await storage.read(tables => readReceipt(tables, orderId))
  if (receipt === null) throw new BuyerRefusal('not_found', 'order_unknown', 'There is no such order.')
  return receipt.order.status === 'PAID' ? receipt : null
}

/** An order with what has paid it so far; null if there is none, or its merchant is suspended. */
export async function readReceipt(tables: Tables, orderId: string): Promise<Receipt | null> {
  const found = await tables.orders.find(orderId)
  const merchant = found && (await tables.merchants.find(found.order.merchantId))
  if (!merchant || merchant.status === 'suspended') return null
  const attempts = await tables.attempts.listOf(orderId)
  const payments = await Promise.all(
    attempts.map(async attempt =>
      (await tables.incomingPayments.listOf(attempt.id)).map(payment => ({ attempt, payment })),
    ),
  )
  const settling = payments.flat().filter(({ payment }) => payment.settles)
  return {
    ...found,
    merchant,
    payments: settling.sort((a, b) => a.payment.paidAt - b.payment.paidAt),
    refunds: (await tables.refunds.list(orderId, REFUNDS_MAX, null)).reverse(),
  }
}
