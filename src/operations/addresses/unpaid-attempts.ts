import type { Attempt } from '../../domain/attempt.ts'
import { type OrderStatus, orderStatuses } from '../../domain/order.ts'
import type { Tables } from '../../storage/port.ts'

/** Max orders per status: enough for the last weeks, and few enough for one request to a chain. */
const ORDERS_MAX = 200

export interface UnpaidAttempt {
  attempt: Attempt
  orderStatus: OrderStatus
}

/** The attempts of the newest unpaid orders, except attempts whose payment is being confirmed. */
export async function listUnpaidAttempts(tables: Tables, merchantId: string): Promise<UnpaidAttempt[]> {
  const unpaid: UnpaidAttempt[] = []
  for (const status of orderStatuses.filter(one => one !== 'PAID')) {
    const orders = await tables.orders.list({ merchantId, status }, ORDERS_MAX, null)
    const attempts = await tables.attempts.listOfOrders(orders.map(({ order }) => order.id))
    unpaid.push(...attempts.map(attempt => ({ attempt, orderStatus: status })))
  }
  return unpaid.filter(({ attempt }) => attempt.state !== 'confirming')
}
