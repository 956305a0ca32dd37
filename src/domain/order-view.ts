import type { Merchant } from './merchant.ts'
import type { Order } from './order.ts'
import type { Session } from './session.ts'

/** An order with everything that responses show. */
export interface OrderView {
  order: Order
  session: Session
  merchant: Merchant
}
