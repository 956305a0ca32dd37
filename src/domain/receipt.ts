import type { Attempt } from './attempt.ts'
import type { OrderView } from './order-view.ts'
import type { IncomingPayment } from './payment.ts'
import type { Refund } from './refund.ts'

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
