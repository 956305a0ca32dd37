import type { Merchant } from '../../domain/merchant.ts'
import type { OrderWithSession } from '../../storage/port.ts'

/** An order with everything that responses show. */
export interface OrderView extends OrderWithSession {
  merchant: Merchant
}
