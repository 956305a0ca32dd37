import type { Order, OrderStatus } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { ProvisioningStatus, Session } from '../../domain/session.ts'

export interface OrderFilter {
  merchantId: string
  status?: OrderStatus | undefined
  externalId?: string | undefined
  createdFrom?: number | undefined
  createdTo?: number | undefined
}

/** What an order is searched by. Email addresses, transaction IDs and addresses ignore case. */
export interface OrderSearch extends Pick<OrderFilter, 'merchantId' | 'status' | 'externalId'> {
  /** the customer's */
  email?: string | undefined
  /** a transaction that paid the order, or that moved its money to the payout wallet */
  tx?: string | undefined
  /** the address of an attempt */
  address?: string | undefined
}

export type OrderWithSession = { order: Order; session: Session }

export interface Orders {
  find(id: string): Promise<OrderWithSession | null>
  /** Newest first. */
  list(filter: OrderFilter, limit: number, after: PageStart | null): Promise<OrderWithSession[]>
  /** Newest first. */
  search(search: OrderSearch, limit: number): Promise<OrderWithSession[]>
  insert(order: Order, session: Session): Promise<void>
  /** Changes the order if it still has the status `from`. */
  move(id: string, from: OrderStatus, change: Partial<Order>): Promise<boolean>
  update(id: string, change: Partial<Order>): Promise<void>
}

export interface Sessions {
  /** Changes the status of an order's session if it still is `from`. */
  move(orderId: string, from: ProvisioningStatus, to: ProvisioningStatus, at: number): Promise<boolean>
}

/** An Idempotency-Key header that was used, and what the request created. */
interface IdempotencyKey {
  merchantId: string
  operation: string
  key: string
  /** identifies the request, so that a reused key with another body is refused */
  requestHash: string
  /** the ID of the order or refund that the request created */
  resourceId: string
  createdAt: number
}

export interface IdempotencyKeys {
  find(merchantId: string, operation: string, key: string): Promise<IdempotencyKey | null>
  insert(key: IdempotencyKey): Promise<void>
}
