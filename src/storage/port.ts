import type { AddressSource, SourceAddress } from '../domain/address-source.ts'
import type { Key } from '../domain/api-key.ts'
import type { WalletNetwork } from '../domain/asset.ts'
import type { Attempt, IncomingPayment } from '../domain/attempt.ts'
import type { Catalogue, CoinCatalogue } from '../domain/catalogue.ts'
import type { Customer } from '../domain/customer.ts'
import type { ClaimedJob, Job, JobKind } from '../domain/job.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Notification } from '../domain/notification.ts'
import type { Order, OrderStatus } from '../domain/order.ts'
import type { PageStart } from '../domain/page.ts'
import type { Product, ProductImage } from '../domain/product.ts'
import type { Refund } from '../domain/refund.ts'
import type { ProvisioningStatus, Session } from '../domain/session.ts'
import type { UnmatchedPayment } from '../domain/settlement.ts'
import type { StatisticsDelta } from '../domain/statistics.ts'
import type { Settlement, Transaction, TransactionStatus } from '../domain/transaction.ts'
import type { Wallet } from '../domain/wallet.ts'
import type {
  Delivery,
  DeliveryStatus,
  Event,
  EventType,
  EventWithDelivery,
  Webhook,
} from '../domain/webhook.ts'

/**
 * Where everything is kept. `read` sees what is committed. `write` runs its work alone, commits it, and
 * answers only when it is on the disk; what it throws undoes it whole. No network call may happen inside
 * either.
 */
export interface Storage {
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T>
  /** Whether the database takes writes and is of this program's version. Throws what is wrong. */
  check(): Promise<void>
  /** Reads the whole database through: what is damaged, or null. Takes its time. */
  inspect(): Promise<string | null>
  close(): Promise<void>
}

/**
 * Repositories by noun. Finders answer null for what is not there; `move` and the like are compare-and-set.
 */
export interface Tables {
  merchants: Merchants
  keys: Keys
  customers: Customers
  wallets: Wallets
  sources: AddressSources
  webhooks: Webhooks
  orders: Orders
  sessions: Sessions
  attempts: Attempts
  incomingPayments: IncomingPayments
  transactions: Transactions
  unmatched: UnmatchedPayments
  notifications: Notifications
  events: Events
  jobs: Jobs
  statistics: StatisticsTable
  idempotency: IdempotencyKeys
  catalogues: Catalogues
  coinCatalogues: CoinCatalogues
  products: Products
  images: Images
  refunds: Refunds
}

export interface Merchants {
  find(id: string): Promise<Merchant | null>
  findByEmail(email: string): Promise<Merchant | null>
  list(): Promise<Merchant[]>
  insert(merchant: Merchant): Promise<void>
  update(id: string, change: Partial<Merchant>): Promise<Merchant | null>
}

export interface Keys {
  find(id: string): Promise<Key | null>
  listOf(merchantId: string): Promise<Key[]>
  insert(key: Key): Promise<void>
  revoke(id: string, at: number): Promise<boolean>
}

export interface Customers {
  findByEmail(merchantId: string, email: string): Promise<Customer | null>
  insert(customer: Customer): Promise<void>
  setBlocked(id: string, blockedAt: number | null): Promise<void>
}

export interface Wallets {
  find(merchantId: string): Promise<Wallet | null>
  put(wallet: Wallet): Promise<void>
}

export interface AddressSources {
  listOf(merchantId: string): Promise<AddressSource[]>
  findByKey(network: WalletNetwork, key: string): Promise<AddressSource | null>
  insert(source: AddressSource): Promise<void>
  update(id: string, change: Partial<AddressSource>): Promise<void>
  /** Its first address that no attempt has, but for some. */
  free(sourceId: string, but?: string[]): Promise<SourceAddress | null>
  /** How many addresses it has, how many of them are free, and the last position; null where it has none. */
  tally(sourceId: string): Promise<{ free: number; all: number; last: number | null }>
  findAddress(network: WalletNetwork, address: string): Promise<SourceAddress | null>
  insertAddress(address: SourceAddress): Promise<void>
  take(network: WalletNetwork, address: string, attemptId: string, at: number): Promise<void>
  /** Gives back what was taken for an attempt that did not come to be; of one that did, nothing. */
  release(attemptId: string): Promise<void>
}

export interface Webhooks {
  find(merchantId: string): Promise<Webhook | null>
  put(webhook: Webhook): Promise<void>
}

export interface OrderFilter {
  merchantId: string
  status?: OrderStatus | undefined
  externalId?: string | undefined
  createdFrom?: number | undefined
  createdTo?: number | undefined
}

export type OrderWithSession = { order: Order; session: Session }

export interface Orders {
  find(id: string): Promise<OrderWithSession | null>
  list(filter: OrderFilter, limit: number, after: PageStart | null): Promise<OrderWithSession[]>
  insert(order: Order): Promise<void>
  /** Changes the order only while it has the status that was decided upon; false when another was faster. */
  move(id: string, from: OrderStatus, change: Partial<Order>): Promise<boolean>
  update(id: string, change: Partial<Order>): Promise<void>
}

export interface Sessions {
  insert(session: Session): Promise<void>
  move(orderId: string, from: ProvisioningStatus, to: ProvisioningStatus, at: number): Promise<boolean>
}

export interface Attempts {
  find(id: string): Promise<Attempt | null>
  listOf(orderId: string): Promise<Attempt[]>
  /** Of several orders, the newest attempt first. */
  listOfAll(orderIds: string[]): Promise<Attempt[]>
  /** Whether an attempt is watched for this very amount at a shared address, after an instant. */
  isShared(address: string, assetId: string, dueAtomic: bigint, after: number): Promise<boolean>
  /** Whether any attempt has this address, in whichever case it is written. */
  hasAddress(address: string): Promise<boolean>
  insert(attempt: Attempt): Promise<void>
  update(id: string, change: Partial<Attempt>): Promise<void>
}

export interface IncomingPayments {
  listOf(attemptId: string): Promise<IncomingPayment[]>
  /** By the payment's id, or by the payer's transaction: two reports may know one payment by either. */
  findByTx(
    source: string,
    txId: string,
    txIn: string | null,
    txIndex: string,
  ): Promise<IncomingPayment | null>
  insert(incoming: IncomingPayment): Promise<void>
  update(id: string, change: Partial<IncomingPayment>): Promise<void>
}

export interface TransactionFilter {
  merchantId: string
  status?: TransactionStatus | undefined
  orderId?: string | undefined
}

/** A transaction with the order whose snapshot it shares. */
export type TransactionWithOrder = { transaction: Transaction; order: Order }

export interface Transactions {
  find(id: string): Promise<TransactionWithOrder | null>
  /** Newest first. */
  list(filter: TransactionFilter, limit: number, after: PageStart | null): Promise<TransactionWithOrder[]>
  insert(transaction: Transaction): Promise<void>
  /** Changes the transaction only while it has as many refunds as were counted; false when it has others. */
  refund(id: string, refundCount: number, change: Partial<Transaction>): Promise<boolean>
  /** By which transaction its money reached the payout wallet. */
  noteTxOut(id: string, txOut: string, at: number): Promise<void>
  insertSettlement(settlement: Settlement): Promise<void>
}

export interface Products {
  find(id: string): Promise<Product | null>
  /** Newest-updated first. */
  list(merchantId: string, limit: number, after: PageStart | null): Promise<Product[]>
  insert(product: Product): Promise<void>
  update(id: string, change: Partial<Product>): Promise<void>
}

export interface Images {
  find(id: string): Promise<ProductImage | null>
  /** Keeps an image; the same one is kept once. */
  keep(image: ProductImage): Promise<void>
}

export interface Refunds {
  find(id: string): Promise<Refund | null>
  /** The refunds of an order, newest first. */
  list(orderId: string, limit: number, after: PageStart | null): Promise<Refund[]>
  insert(refund: Refund): Promise<void>
}

export interface UnmatchedRow {
  payment: UnmatchedPayment
  incoming: IncomingPayment
  /** of the asset that was asked for */
  decimals: number
}

export interface UnmatchedPayments {
  /** Records a payment that settles nothing, once; false when it already was. */
  insert(payment: UnmatchedPayment): Promise<boolean>
  /** What was too little has become part of what settled. */
  resolveOf(attemptId: string, at: number): Promise<void>
  resolve(id: string, at: number): Promise<boolean>
  list(merchantId: string, limit: number): Promise<UnmatchedRow[]>
}

export interface Notifications {
  insert(notification: Notification): Promise<void>
  list(merchantId: string, limit: number): Promise<Notification[]>
}

export interface EventFilter {
  merchantId: string
  type?: EventType | undefined
  /** of the delivery */
  status?: DeliveryStatus | undefined
}

export interface Events {
  find(id: string): Promise<EventWithDelivery | null>
  /** Newest first. */
  list(filter: EventFilter, limit: number, after: PageStart | null): Promise<EventWithDelivery[]>
  insert(event: Event, delivery: Delivery): Promise<void>
  updateDelivery(eventId: string, change: Partial<Delivery>): Promise<void>
  /** Ids of the events that wait because there was no active endpoint. */
  waiting(merchantId: string, createdFrom: number): Promise<string[]>
}

export interface Room {
  /** lanes that take no job now */
  full: string[]
  /** how many jobs a lane may still take */
  of(job: Pick<Job, 'kind' | 'lane'>): number
}

export interface Jobs {
  /** Makes the job due at its time, in place of an earlier time and of a lease that somebody may hold. */
  schedule(job: Job): Promise<void>
  /** Brings a job forward; one that is running or due earlier stays as it is. */
  bringForward(kind: JobKind, subject: string, dueAt: number): Promise<void>
  remove(kind: JobKind, subject: string): Promise<void>
  /** Takes due jobs, the longest due first, as many of each lane as there is room for. */
  claim(now: number, lease: string, leaseUntil: number, room: Room): Promise<ClaimedJob[]>
  /** Ends a claimed job, or lets it come again at `next`; does nothing once it was scheduled anew. */
  finish(job: ClaimedJob, next: number | null): Promise<void>
  /** Lets a job that failed come again; its tries stay counted. */
  postpone(job: ClaimedJob, dueAt: number): Promise<void>
  /** Gives back what is leased, at once due: by one holder, or by all. */
  release(now: number, lease: string | null): Promise<void>
  /** When the next job outside of the full lanes is due; null for never. */
  nextDueAt(fullLanes: string[]): Promise<number | null>
}

export interface StatisticsTable {
  add(merchantId: string, day: string, currency: string, delta: StatisticsDelta): Promise<void>
}

interface IdempotencyKey {
  merchantId: string
  operation: string
  key: string
  requestHash: string
  subject: string
  createdAt: number
}

export interface IdempotencyKeys {
  find(merchantId: string, operation: string, key: string): Promise<IdempotencyKey | null>
  insert(key: IdempotencyKey): Promise<void>
}

export interface Catalogues {
  find(provider: string): Promise<Catalogue | null>
  put(catalogue: Catalogue): Promise<void>
}

export interface CoinCatalogues {
  find(provider: string): Promise<CoinCatalogue | null>
  put(catalogue: CoinCatalogue): Promise<void>
}
