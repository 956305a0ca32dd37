import type {
  Attempt,
  AttemptAtProvider,
  AttemptChange,
  PageAttempt,
  Progress,
} from '../../domain/attempt.ts'
import type { Elsewhere } from '../../domain/elsewhere.ts'
import type { OpenedPage, Opening, Started } from '../../domain/opening.ts'
import type { OrderStatus } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { PageShare } from '../../domain/page-share.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { UnmatchedDecision, UnmatchedPayment } from '../../domain/settlement.ts'

/** A provider's method and the amount due by it. */
export type PageTerms = Pick<PageAttempt, 'provider' | 'methodKey' | 'assetId' | 'dueAtomic'>

/** Attempts and openings share their IDs. Only methods that name openings return openings. */
export interface Attempts {
  find(id: string): Promise<Attempt | null>
  /** Oldest first. */
  listOf(orderId: string): Promise<Attempt[]>
  /** The attempts of an order, and its unopened pages. */
  listStarted(orderId: string): Promise<Started>
  /** The same, with what is known of the attempts on other chains. */
  listLooked(orderId: string): Promise<Started & { looks: Elsewhere[] }>
  /** Newest first. */
  listOfOrders(orderIds: string[]): Promise<Attempt[]>
  /** True if an attempt at a shared address is watched for exactly this amount after `after`. */
  isShared(address: string, assetId: string, dueAtomic: bigint, after: number): Promise<boolean>
  /** True if any attempt has this address, ignoring case. */
  hasAddress(address: string): Promise<boolean>
  /** True if an attempt has this address for itself, not as a shared payout wallet. Ignores case. */
  isGiven(address: string): Promise<boolean>
  /** Number of locked attempts and openings of a merchant that received nothing, up to `max`. */
  countWaiting(merchantId: string, now: number, max: number): Promise<number>
  /** The locked attempts at providers of a merchant that received nothing, up to `max`. */
  listWaiting(merchantId: string, now: number, max: number): Promise<AttemptAtProvider[]>
  /** The `pageShare` of payments by a method since a time, for half to twice the amount due, newest first. */
  listPageShares(page: PageTerms, since: number, limit: number): Promise<PageShare[]>
  /** Finds an attempt by the provider's reference. */
  findByReference(provider: string, reference: string): Promise<AttemptAtProvider | null>
  insert(attempt: Attempt): Promise<void>
  update(id: string, change: AttemptChange): Promise<void>
  findOpening(id: string): Promise<Opening | null>
  insertOpening(opening: Opening): Promise<void>
  updateOpening(
    id: string,
    change: Partial<Pick<Opening, 'state' | 'priced' | 'chosenAt' | 'updatedAt'>>,
  ): Promise<void>
  /** Turns an opening into an attempt. */
  storePage(id: string, page: OpenedPage & Partial<Progress>): Promise<void>
}

export interface IncomingPayments {
  /** Oldest first. */
  listOf(attemptId: string): Promise<IncomingPayment[]>
  /** Payments of all attempts of an order, oldest first. */
  listOfOrder(orderId: string): Promise<IncomingPayment[]>
  /** Payments with this source, transaction and index, of any attempt. */
  listByTx(source: string, txId: string, txIndex: string): Promise<IncomingPayment[]>
  insert(incoming: IncomingPayment): Promise<void>
  update(id: string, change: Partial<IncomingPayment>): Promise<void>
}

export interface UnmatchedRow {
  payment: UnmatchedPayment
  incoming: IncomingPayment
  /** decimals of the asset that the attempt asked for */
  decimals: number
  /** where the buyer wants refunds */
  refundAddress: string | null
  /** of the order */
  currency: string
  orderStatus: OrderStatus
  externalId: string | null
}

export interface UnmatchedPayments {
  find(id: string): Promise<UnmatchedPayment | null>
  /** IDs of an attempt's incoming payments that are recorded as unmatched. */
  knownPayments(attemptId: string): Promise<string[]>
  /** Records a payment that settles no order. Returns false if it is already recorded. */
  insert(payment: UnmatchedPayment): Promise<boolean>
  update(id: string, change: Partial<UnmatchedPayment>): Promise<void>
  /** Returns false if the merchant has no such open payment. */
  resolve(merchantId: string, id: string, decision: UnmatchedDecision): Promise<boolean>
  /** Oldest first. */
  listOf(orderId: string): Promise<UnmatchedRow[]>
  /** Oldest first. */
  listOfAttempt(attemptId: string): Promise<UnmatchedRow[]>
  /** Newest first. */
  list(merchantId: string, limit: number): Promise<UnmatchedRow[]>
  /** Unmatched payments of a merchant, of one status or of all, newest first. */
  browse(
    query: { merchantId: string; status?: UnmatchedPayment['status'] | undefined },
    limit: number,
    after: PageStart | null,
  ): Promise<UnmatchedRow[]>
  /** Number of open payments of a merchant, up to a limit. */
  countOpen(merchantId: string, limit: number): Promise<number>
}
