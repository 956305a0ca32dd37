import { BuyerRefusal } from '../../domain/errors.ts'
import type { Receipt } from '../../domain/receipt.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'

const REFUNDS_MAX = 100

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
