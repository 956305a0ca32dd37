import { Refusal } from '../../../domain/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import type { OrderView } from '../../../domain/order-view.ts'
import type { OrderWithSession, Tables } from '../../../storage/port.ts'

/** Returns an order of this merchant. Throws not_found for any other. */
export async function requireOrder(tables: Tables, merchantId: string, id: string): Promise<OrderView> {
  return viewOf(await tables.orders.find(id), await tables.merchants.find(merchantId))
}

/** Returns an order of this merchant. Throws not_found for an order of another merchant. */
export function viewOf(found: OrderWithSession | null, merchant: Merchant | null): OrderView {
  if (!found || !merchant || found.order.merchantId !== merchant.id) {
    throw new Refusal('not_found', 'No order has this ID.')
  }
  return { ...found, merchant }
}
