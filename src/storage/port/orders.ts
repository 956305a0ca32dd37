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

/** Search criteria for orders. The case of email addresses, transaction IDs and addresses is ignored. */
export interface OrderSearch extends Pick<OrderFilter, 'merchantId' | 'status' | 'externalId'> {
  /** email address of the customer */
  email?: string | undefined
  /** a transaction that paid the order, or that moved its money to the payout wallet */
  tx?: string | undefined
  /** address of an attempt */
  address?: string | undefined
}

/** Filters of an order list. An order has to match all that are given. */
export interface OrderQuery extends Pick<OrderFilter, 'merchantId' | 'createdFrom' | 'createdTo'> {
  /** the order must have one of these statuses */
  statuses?: readonly OrderStatus[] | undefined
  customerId?: string | undefined
  /** the method that the buyer chose last, or with which the order was paid */
  method?: string | undefined
  asset?: string | undefined
  currency?: string | undefined
  /** lowest amount in `currency`, which must be given too; both ends are inclusive */
  amountFrom?: Amount | undefined
  amountTo?: Amount | undefined
  isRefunded?: boolean | undefined
  paymentState?: PaymentState | undefined
  /** IDs of the orders to which the list is restricted */
  ids?: readonly string[] | undefined
  /** text as for `match`, but without its limit, because orders are examined one by one */
  text?: string | undefined
}

export interface ExaminedOrders {
  /** the orders that match, newest first */
  rows: OrderWithSession[]
  /**
   * A query that matches few orders stops after `examinedMax` of them, to bound its time. Then this is the
   * last examined order; otherwise null.
   */
  examinedTo: PageStart | null
}

/** The amounts of an order, for the totals of a customer. */
export type OrderAmount = Pick<Order, 'status' | 'amount' | 'currency' | 'refundedAmount' | 'createdAt'>

export interface OrderMatches {
  ids: string[]
  /** true if more orders match */
  isCut: boolean
}

export type OrderWithSession = { order: Order; session: Session }

export interface Orders {
  find(id: string): Promise<OrderWithSession | null>
  /** Lists the orders that match a filter, newest first. */
  list(filter: OrderFilter, limit: number, after: PageStart | null): Promise<OrderWithSession[]>
  /**
   * Lists orders that were created before `from` and changed since, newest first. Returns null if thousands
   * were changed since: these are found faster by examining the orders that were created before. The filter
   * may not contain a customer or an external ID.
   */
  listChanged(
    filter: Omit<OrderFilter, 'customerId' | 'externalId'>,
    from: number,
    limit: number,
    after: PageStart | null,
  ): Promise<OrderWithSession[] | null>
  /** Lists the orders that match a search, newest first. */
  search(search: OrderSearch, limit: number): Promise<OrderWithSession[]>
  /** Lists up to `limit` orders that match a query, in the direction of `turn`. */
  browse(
    query: OrderQuery,
    limit: number,
    turn: PageTurn | null,
    examinedMax?: number,
  ): Promise<ExaminedOrders>
  /**
   * Finds orders by a text, ignoring case. The order's ID, its customer's email address or name, an address
   * or a transaction equals the text or begins with it; the external ID or the name of what was sold contains
   * it; or the amount is one that it means.
   */
  match(merchantId: string, text: string): Promise<OrderMatches>
  /** Lists the amounts of up to `limit` orders of a customer, newest first. */
  listAmounts(customerId: string, limit: number): Promise<OrderAmount[]>
  insert(order: Order, session: Session): Promise<void>
  /** Changes an order if it still has the status `from`. */
  move(id: string, from: OrderStatus, change: Partial<Order>): Promise<boolean>
  update(id: string, change: Partial<Order>): Promise<void>
}

/** The method and asset that the buyer chose. */
export type ChosenMethod = Pick<Order, 'chosenMethod' | 'chosenAsset'>

export interface Sessions {
  /** Changes the status of an order's session if it is still `from`, and stores the buyer's choice. */
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
  /** hash of the request, because a key that is reused with another body is refused */
  requestHash: string
  /** ID of the created order or refund */
  resourceId: string
  createdAt: number
}

export interface IdempotencyKeys {
  find(merchantId: string, operation: string, key: string): Promise<IdempotencyKey | null>
  insert(key: IdempotencyKey): Promise<void>
  /** Inserts an idempotency key. Returns false if it was used before. */
  insertNew(key: IdempotencyKey): Promise<boolean>
}

export interface OrderNotes {
  insert(note: OrderNote): Promise<void>
  /** Lists the notes of an order, newest first. */
  listOf(orderId: string, limit: number): Promise<OrderNote[]>
}

export interface SavedViews {
  /** Lists a person's views of a list of a merchant, by name. */
  list(userId: string, merchantId: string, page: string): Promise<SavedView[]>
  /** Inserts a view, or replaces the query of the view with the same name. */
  put(view: SavedView): Promise<void>
  /** Returns false if the person has no such view. */
  remove(userId: string, merchantId: string, id: string): Promise<boolean>
  /** Removes all views of a person for a merchant. */
  removeAll(userId: string, merchantId: string): Promise<void>
}
