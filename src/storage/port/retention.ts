import type { Order } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { RetentionProgress } from '../../domain/retention.ts'

type DeletedOrder = Pick<Order, 'merchantId' | 'currency' | 'createdAt'>

/** Deletes rows that nobody needs any more. Each method touches at most `limit` rows of what it deletes. */
export interface RetentionTable {
  /** Null before the first run. */
  progress(): Promise<RetentionProgress | null>
  noteProgress(progress: RetentionProgress): Promise<void>
  /** Deletes idempotency keys of an operation that were used before `before`. Returns how many. */
  forgetIdempotencyKeys(operation: string, before: number, limit: number): Promise<number>
  /** Deletes the tries of events that were delivered before `before`. Returns how many events. */
  forgetTries(before: number, limit: number): Promise<number>
  /** Expired orders of the public form that expired before `before`, oldest first. */
  listExpiredWebOrders(before: number, limit: number, after: PageStart | null): Promise<PageStart[]>
  /**
   * Deletes expired orders of the public form with all their rows, and customers that have no other order.
   * An order stays if anything was ever paid, if an event is not delivered, or if an attempt is with a
   * provider, watched after `before` or still to be checked. Returns the orders that were deleted.
   */
  deleteAbandoned(orderIds: string[], before: number): Promise<DeletedOrder[]>
}
