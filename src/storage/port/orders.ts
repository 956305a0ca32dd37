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

/** What a person filters orders by. Everything that is given has to match. */
export interface OrderQuery extends Pick<OrderFilter, 'merchantId' | 'createdFrom' | 'createdTo'> {
  /** any of these */
  statuses?: readonly OrderStatus[] | undefined
  customerId?: string | undefined
  /** what the buyer chose last, or paid with */
  method?: string | undefined
  asset?: string | undefined
  currency?: string | undefined
  /** in the currency, which must be given too; both ends included */
  amountFrom?: Amount | undefined
  amountTo?: Amount | undefined
  isRefunded?: boolean | undefined
  paymentState?: PaymentState | undefined
  /** only these orders */
  ids?: readonly string[] | undefined
  /** what `match` finds, without its limit: orders are examined one by one */
  text?: string | undefined
}

export interface ExaminedOrders {
  /** newest first */
  rows: OrderWithSession[]
  /**
   * A query that few orders match stops after `examinedMax` of them, so that it never takes long. Then this
   * is the last one that was examined; otherwise null.
   */
  examinedTo: PageStart | null
}

/** What the sums of a customer are made from. */
export type OrderAmount = Pick<Order, 'status' | 'amount' | 'currency' | 'refundedAmount' | 'createdAt'>

/** The orders that a search found. */
export interface OrderMatches {
  ids: string[]
  /** whether there are more */
  isCut: boolean
}

export type OrderWithSession = { order: Order; session: Session }

export interface Orders {
  find(id: string): Promise<OrderWithSession | null>
  /** Newest first. */
  list(filter: OrderFilter, limit: number, after: PageStart | null): Promise<OrderWithSession[]>
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
   * The orders of which something is, or begins with, a text: the UUID, the external ID, the customer's email
   * address or name, an address or a transaction. Ignores case.
   */
  match(merchantId: string, text: string): Promise<OrderMatches>
  /** Up to `limit` orders of a customer, newest first: what their sums are made from. */
  listAmounts(customerId: string, limit: number): Promise<OrderAmount[]>
  insert(order: Order, session: Session): Promise<void>
  /** Changes the order if it still has the status `from`. */
  move(id: string, from: OrderStatus, change: Partial<Order>): Promise<boolean>
  update(id: string, change: Partial<Order>): Promise<void>
}

/** How a buyer chose to pay. */
export type ChosenMethod = Pick<Order, 'chosenMethod' | 'chosenAsset'>

export interface Sessions {
  /** Changes the status of an order's session if it still is `from`, and what its buyer chose. */
  move(
    orderId: string,
    from: ProvisioningStatus,
    to: ProvisioningStatus,
    at: number,
    chosen?: ChosenMethod,
  ): Promise<boolean>
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
  /** Inserts the key unless it was used before. Returns whether it did. */
  insertNew(key: IdempotencyKey): Promise<boolean>
}

export interface OrderNotes {
  insert(note: OrderNote): Promise<void>
  /** The notes of an order, newest first. */
  listOf(orderId: string, limit: number): Promise<OrderNote[]>
}

export interface SavedViews {
  /** The views of a person for a list of a merchant, by name. */
  list(userId: string, merchantId: string, page: string): Promise<SavedView[]>
  /** Inserts a view, or replaces the query of the one with its name. */
  put(view: SavedView): Promise<void>
  /** Returns false if the person has no such view. */
  remove(userId: string, merchantId: string, id: string): Promise<boolean>
  /** Removes all views of a person for a merchant. */
  removeAll(userId: string, merchantId: string): Promise<void>
}
