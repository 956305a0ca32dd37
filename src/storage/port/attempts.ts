import type {
  Attempt,
  AttemptAtProvider,
  AttemptChange,
  PageAttempt,
  Progress,
} from '../../domain/attempt.ts'
import type { OpenedPage, Opening, Started } from '../../domain/opening.ts'
import type { OrderStatus } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { PageShare } from '../../domain/page-share.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { UnmatchedDecision, UnmatchedPayment } from '../../domain/settlement.ts'

/** A method of a provider, and what is due by it. */
export type PageTerms = Pick<PageAttempt, 'provider' | 'methodKey' | 'assetId' | 'dueAtomic'>

/** Attempts and openings share their IDs. Nothing but the methods that name openings returns them. */
export interface Attempts {
  find(id: string): Promise<Attempt | null>
  /** The attempts of an order, oldest first. */
  listOf(orderId: string): Promise<Attempt[]>
  /** The attempts of an order, and its pages that are not opened. */
  listStarted(orderId: string): Promise<Started>
  /** The attempts of several orders, newest first. */
  listOfOrders(orderIds: string[]): Promise<Attempt[]>
  /** Whether an attempt at a shared address is watched for exactly this amount after `after`. */
  isShared(address: string, assetId: string, dueAtomic: bigint, after: number): Promise<boolean>
  /** Whether any attempt has this address. Ignores case. */
  hasAddress(address: string): Promise<boolean>
  /** Whether an attempt has this address for itself. A shared one is a payout wallet. Ignores case. */
  isGiven(address: string): Promise<boolean>
  /**
   * How many attempts and openings of a merchant have received nothing inside their lock; counts up to `max`.
   */
  countWaiting(merchantId: string, now: number, max: number): Promise<number>
  /** Newest first: `pageShare` of payments by a method since a time, of half to twice what is due. */
  listPageShares(page: PageTerms, since: number, limit: number): Promise<PageShare[]>
  /** The attempt that the provider knows by this reference. */
  findByReference(provider: string, reference: string): Promise<AttemptAtProvider | null>
  insert(attempt: Attempt): Promise<void>
  update(id: string, change: AttemptChange): Promise<void>
  findOpening(id: string): Promise<Opening | null>
  insertOpening(opening: Opening): Promise<void>
  updateOpening(
    id: string,
    change: Partial<Pick<Opening, 'state' | 'priced' | 'chosenAt' | 'updatedAt'>>,
  ): Promise<void>
  /** Makes an opening an attempt. */
  storePage(id: string, page: OpenedPage & Partial<Progress>): Promise<void>
}

export interface IncomingPayments {
  /** The payments of an attempt, oldest first. */
  listOf(attemptId: string): Promise<IncomingPayment[]>
  /** The payments of all attempts of an order, oldest first. */
  listOfOrder(orderId: string): Promise<IncomingPayment[]>
  /** The payments of one place in one transaction, whatever attempt they are of. */
  listByTx(source: string, txId: string, txIndex: string): Promise<IncomingPayment[]>
  insert(incoming: IncomingPayment): Promise<void>
  update(id: string, change: Partial<IncomingPayment>): Promise<void>
}

export interface UnmatchedRow {
  payment: UnmatchedPayment
  incoming: IncomingPayment
  /** the decimals of the asset that the attempt asked for */
  decimals: number
  /** where the buyer wants to be refunded to */
  refundAddress: string | null
  /** of the order */
  currency: string
  orderStatus: OrderStatus
  externalId: string | null
}

export interface UnmatchedPayments {
  find(id: string): Promise<UnmatchedPayment | null>
  /** The incoming payments of an attempt that are recorded as unmatched. */
  knownPayments(attemptId: string): Promise<string[]>
  /** Records a payment that does not settle an order. Returns false if it is already recorded. */
  insert(payment: UnmatchedPayment): Promise<boolean>
  update(id: string, change: Partial<UnmatchedPayment>): Promise<void>
  /** Returns false if the merchant has no such payment that is open. */
  resolve(merchantId: string, id: string, decision: UnmatchedDecision): Promise<boolean>
  /** The unmatched payments of an order, oldest first. */
  listOf(orderId: string): Promise<UnmatchedRow[]>
  /** The unmatched payments of an attempt, oldest first. */
  listOfAttempt(attemptId: string): Promise<UnmatchedRow[]>
  /** The unmatched payments of a merchant, newest first. */
  list(merchantId: string, limit: number): Promise<UnmatchedRow[]>
  /** The unmatched payments of a merchant, of one status or of all, newest first. */
  browse(
    query: { merchantId: string; status?: UnmatchedPayment['status'] | undefined },
    limit: number,
    after: PageStart | null,
  ): Promise<UnmatchedRow[]>
  /** How many payments of a merchant are open, counted up to a limit. */
  countOpen(merchantId: string, limit: number): Promise<number>
}
