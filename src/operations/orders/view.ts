import type { Merchant } from '../../domain/merchant.ts'
import type { OrderWithSession } from '../../storage/port.ts'

/** An order with all that an answer shows of it. */
export interface OrderView extends OrderWithSession {
  merchant: Merchant
}
