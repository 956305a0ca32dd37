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

/**
 * The attempts of orders, and openings: pages that a provider has not opened yet. An opened one becomes an
 * attempt with the same ID. Only methods whose comments mention openings or unopened pages return them.
 */
export interface Attempts {
  find(id: string): Promise<Attempt | null>
  /** Returns the attempts with these IDs, in any order. */
  findAll(ids: readonly string[]): Promise<Attempt[]>
  /** Lists the attempts of an order, oldest first. */
  listOf(orderId: string): Promise<Attempt[]>
  /** Lists the attempts of an order, and its unopened pages. */
  listStarted(orderId: string): Promise<Started>
  /** Like `listStarted`, with the results of checks of the attempts on other chains. */
  listLooked(orderId: string): Promise<Started & { looks: Elsewhere[] }>
  /** Lists the attempts of several orders, newest first. */
  listOfOrders(orderIds: string[]): Promise<Attempt[]>
  /** True if an attempt at a shared address is watched for exactly this amount after `after`. */
  isShared(address: string, assetId: string, dueAtomic: bigint, after: number): Promise<boolean>
  /** True if any attempt has this address, ignoring case. */
  hasAddress(address: string): Promise<boolean>
  /** True if an attempt has this address for itself, not as a shared payout wallet. Ignores case. */
  isGiven(address: string): Promise<boolean>
  /** Number of a merchant's attempts and openings with a valid quote that received nothing, up to `max`. */
  countWaiting(merchantId: string, now: number, max: number): Promise<number>
  /** Lists a merchant's attempts at providers with a valid quote that received nothing, up to `max`. */
  listWaiting(merchantId: string, now: number, max: number): Promise<AttemptAtProvider[]>
  /**
   * Lists the `pageShare` of payments by a method since a time, newest first. The amount due was half to
   * twice that of `page`.
   */
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
  /** Lists the payments to an attempt, oldest first. */
  listOf(attemptId: string): Promise<IncomingPayment[]>
  /** Lists the payments to all attempts of an order, oldest first. */
  listOfOrder(orderId: string): Promise<IncomingPayment[]>
  /** Lists payments with this source, transaction and index, to any attempt. */
  listByTx(source: string, txId: string, txIndex: string): Promise<IncomingPayment[]>
  insert(incoming: IncomingPayment): Promise<void>
  update(id: string, change: Partial<IncomingPayment>): Promise<void>
}

export interface UnmatchedRow {
  payment: UnmatchedPayment
  incoming: IncomingPayment
  /** the asset that the attempt asked for; another one may have arrived */
  asked: Pick<Attempt, 'assetId' | 'decimals'>
  /** address to which the buyer wants refunds */
  refundAddress: string | null
  /** currency of the order */
  currency: string
  orderStatus: OrderStatus
  externalId: string | null
}

export interface UnmatchedPayments {
  find(id: string): Promise<UnmatchedPayment | null>
  /** Lists the IDs of an attempt's incoming payments that are recorded as unmatched. */
  knownPayments(attemptId: string): Promise<string[]>
  /** Records a payment that settles no order. Returns false if it is already recorded. */
  insert(payment: UnmatchedPayment): Promise<boolean>
  update(id: string, change: Partial<UnmatchedPayment>): Promise<void>
  /** Returns false if the merchant has no such open payment. */
  resolve(merchantId: string, id: string, decision: UnmatchedDecision): Promise<boolean>
  /** Lists the unmatched payments of an order, oldest first. */
  listOf(orderId: string): Promise<UnmatchedRow[]>
  /** Lists the unmatched payments of an attempt, oldest first. */
  listOfAttempt(attemptId: string): Promise<UnmatchedRow[]>
  /** Lists the unmatched payments of a merchant, newest first. */
  list(merchantId: string, limit: number): Promise<UnmatchedRow[]>
  /** Lists the unmatched payments of a merchant with one status or any, newest first. */
  browse(
    query: { merchantId: string; status?: UnmatchedPayment['status'] | undefined },
    limit: number,
    after: PageStart | null,
  ): Promise<UnmatchedRow[]>
  /** Number of open payments of a merchant, up to a limit. */
  countOpen(merchantId: string, limit: number): Promise<number>
}
