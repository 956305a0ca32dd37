import type { OrderView } from './order-view.ts'
import type { ValuedPayment } from './payment-news.ts'
import type { Refund } from './refund.ts'

export interface Receipt extends OrderView {
  /** payments that paid the order, oldest first; empty if it was marked as paid manually */
  payments: ValuedPayment[]
  /** refunds, oldest first; only the newest if there are very many */
  refunds: Refund[]
  /** true if the order has an invoice */
  hasInvoice: boolean
}
