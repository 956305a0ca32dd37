import type { Attempt } from '../../domain/attempt.ts'
import type { Amount } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import type { OrderView } from '../../domain/order-view.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import { moneyBelow } from '../../domain/quote.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireOrder } from './steps/require-order.ts'

export interface OrderPayments extends OrderView {
  /** everything credited to the order, including payments that are not final */
  paid: Amount
  attempts: Attempt[]
  payments: IncomingPayment[]
}

/** An order with its paid amount and its payments. Throws not_found for an order of another merchant. */
export const getOrderPayments = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<OrderPayments> =>
  storage.read(async tables => {
    const view = await requireOrder(tables, merchantId, id)
    const attempts = await tables.attempts.listOf(id)
    const payments = await tables.incomingPayments.listOfOrder(id)
    return { ...view, paid: paidOf(view.order, attempts), attempts, payments }
  })

/** The paid amount of each order, by the order's ID. */
export const listPaidAmounts = (
  { storage }: Pick<Context, 'storage'>,
  orders: readonly Order[],
): Promise<Map<string, Amount>> =>
  storage.read(async (tables: Tables) => {
    const attempts = Map.groupBy(
      await tables.attempts.listOfOrders(orders.map(({ id }) => id)),
      one => one.orderId,
    )
    return new Map(orders.map(order => [order.id, paidOf(order, attempts.get(order.id) ?? [])]))
  })

function paidOf(order: Order, attempts: readonly Attempt[]): Amount {
  if (order.status === 'PAID') return order.amount
  return moneyBelow(
    attempts.reduce((sum, { credited }) => sum + credited, 0n),
    order,
  )
}
