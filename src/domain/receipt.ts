import type { OrderView } from './order-view.ts'
import type { ValuedPayment } from './payment-news.ts'
import type { Refund } from './refund.ts'

export interface Receipt extends OrderView {
  /** what paid the order, oldest first; empty for an order that was marked as paid manually */
  payments: ValuedPayment[]
  /** oldest first, the newest of very many */
  refunds: Refund[]
}
