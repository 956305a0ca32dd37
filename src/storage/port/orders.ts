import type { Amount } from '../../domain/money.ts'
import type { OrderNote } from '../../domain/note.ts'
import type { Order, OrderStatus, PaymentState } from '../../domain/order.ts'
import type { PageStart, PageTurn } from '../../domain/page.ts'
import type { SavedView } from '../../domain/saved-view.ts'
import type { ProvisioningStatus, Session } from '../../domain/session.ts'

export interface OrderFilter {
  merchantId: string
  status?: OrderStatus | undefined
  externalId?: string | undefined
  customerId?: string | undefined
  productId?: string | undefined
  createdFrom?: number | undefined
  createdTo?: number | undefined
}

/** Search criteria for orders. Email addresses, transaction IDs and addresses ignore case. */
export interface OrderSearch extends Pick<OrderFilter, 'merchantId' | 'status' | 'externalId'> {
  /** of the customer */
  email?: string | undefined
  /** a transaction that paid the order, or that moved its money to the payout wallet */
  tx?: string | undefined
  /** of an attempt */
  address?: string | undefined
}

/** Filters of an order list. All given ones have to match. */
export interface OrderQuery extends Pick<OrderFilter, 'merchantId' | 'createdFrom' | 'createdTo'> {
  /** any of these */
  statuses?: readonly OrderStatus[] | undefined
  customerId?: string | undefined
  /** the method that the buyer chose last, or paid with */
  method?: string | undefined
  asset?: string | undefined
  currency?: string | undefined
  /** in `currency`, which must be given too; both ends inclusive */
  amountFrom?: Amount | undefined
  amountTo?: Amount | undefined
  isRefunded?: boolean | undefined
  paymentState?: PaymentState | undefined
  /** only these orders */
  ids?: readonly string[] | undefined
  /** text that `match` finds, but without its limit: orders are examined one by one */
  text?: string | undefined
}

export interface ExaminedOrders {
  /** newest first */
  rows: OrderWithSession[]
  /**
   * A query that matches few orders stops after `examinedMax` of them, to bound its time. Then this is the
   * last examined order; otherwise null.
   */
  examinedTo: PageStart | null
}

/** The amounts of an order, for the sums of a customer. */
export type OrderAmount = Pick<Order, 'status' | 'amount' | 'currency' | 'refundedAmount' | 'createdAt'>

export interface OrderMatches {
  ids: string[]
  /** true if there are more */
  isCut: boolean
}

export type OrderWithSession = { order: Order; session: Session }

export interface Orders {
  find(id: string): Promise<OrderWithSession | null>
  /** Newest first. */
  list(filter: OrderFilter, limit: number, after: PageStart | null): Promise<OrderWithSession[]>
  /**
   * Orders that were created before `from` and changed since, newest first; null if thousands were changed
   * since, which are found more quickly by examining those created before. A merchant's alone, of any
   * customer and external ID.
   */
  listChanged(
    filter: Omit<OrderFilter, 'customerId' | 'externalId'>,
    from: number,
    limit: number,
    after: PageStart | null,
  ): Promise<OrderWithSession[] | null>
  /** Newest first. */
  search(search: OrderSearch, limit: number): Promise<OrderWithSession[]>
  /** Up to `limit` orders that match a query, in the direction of `turn`. */
  browse(
    query: OrderQuery,
    limit: number,
    turn: PageTurn | null,
    examinedMax?: number,
  ): Promise<ExaminedOrders>
  /**
   * Orders with a field that equals or begins with a text: UUID, the customer's email address or name, an
   * address or a transaction; with an external ID or the name of what was sold that contains it; or with the
   * amount that it means. Ignores case.
   */
  match(merchantId: string, text: string): Promise<OrderMatches>
  /** Amounts of up to `limit` orders of a customer, newest first. */
  listAmounts(customerId: string, limit: number): Promise<OrderAmount[]>
  insert(order: Order, session: Session): Promise<void>
  /** Changes the order if it still has the status `from`. */
  move(id: string, from: OrderStatus, change: Partial<Order>): Promise<boolean>
  update(id: string, change: Partial<Order>): Promise<void>
}

/** The buyer's choice. */
export type ChosenMethod = Pick<Order, 'chosenMethod' | 'chosenAsset'>

export interface Sessions {
  /** Changes the status of an order's session if it is still `from`, and sets the buyer's choice. */
  move(
    orderId: string,
    from: ProvisioningStatus,
    to: ProvisioningStatus,
    at: number,
    chosen?: ChosenMethod,
  ): Promise<boolean>
}

/** A used Idempotency-Key header, and the resource that its request created. */
interface IdempotencyKey {
  merchantId: string
  operation: string
  key: string
  /** identifies the request: a reused key with another body is refused */
  requestHash: string
  /** ID of the created order or refund */
  resourceId: string
  createdAt: number
}

export interface IdempotencyKeys {
  find(merchantId: string, operation: string, key: string): Promise<IdempotencyKey | null>
  insert(key: IdempotencyKey): Promise<void>
  /** Inserts the key. Returns false if it was used before. */
  insertNew(key: IdempotencyKey): Promise<boolean>
}

export interface OrderNotes {
  insert(note: OrderNote): Promise<void>
  /** Newest first. */
  listOf(orderId: string, limit: number): Promise<OrderNote[]>
}

export interface SavedViews {
  /** A person's views of a merchant's list, by name. */
  list(userId: string, merchantId: string, page: string): Promise<SavedView[]>
  /** Inserts a view, or replaces the query of the view with its name. */
  put(view: SavedView): Promise<void>
  /** Returns false if the person has no such view. */
  remove(userId: string, merchantId: string, id: string): Promise<boolean>
  /** Removes all views of a person for a merchant. */
  removeAll(userId: string, merchantId: string): Promise<void>
}
