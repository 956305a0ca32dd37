import type { Attempt, OpeningRate } from '../../domain/attempt.ts'
import type { Amount } from '../../domain/money.ts'
import type { Order } from '../../domain/order.ts'
import type { PageStart } from '../../domain/page.ts'
import type { IncomingPayment } from '../../domain/payment.ts'
import type { Refund } from '../../domain/refund.ts'
import type { UnmatchedPayment } from '../../domain/settlement.ts'
import type { Settlement, Transaction } from '../../domain/transaction.ts'
import type { SweepTransaction } from '../../domain/waiting-funds.ts'

/** The movements of one merchant; `to` is exclusive. */
export interface MovementRange {
  merchantId: string
  from: number
  to: number
}

type OfOrder = Pick<
  Order,
  'externalId' | 'customerEmail' | 'customerFullName' | 'productName' | 'description' | 'tax'
>
type OfAttempt = Pick<Attempt, 'kind' | 'methodName' | 'assetId'> & OpeningRate

export interface PaymentRow extends Pick<Settlement, 'verdict' | 'rule' | 'evidence'> {
  transaction: Pick<
    Transaction,
    | 'id'
    | 'orderId'
    | 'methodKey'
    | 'amount'
    | 'currency'
    | 'feePercent'
    | 'feeAmount'
    | 'netAmount'
    | 'receivedAmount'
    | 'receivedCurrency'
    | 'txIn'
    | 'txOut'
    | 'createdAt'
  >
  order: OfOrder & Pick<Order, 'createdBy'>
  attempt: OfAttempt
}

export interface RefundRow {
  refund: Refund
  /** sum of the order's refunds before this one */
  before: Amount
  order: OfOrder
  /** the attempt whose provider paid the money back; otherwise the one that completed the order */
  attempt: Pick<Attempt, 'methodKey' | 'methodName' | 'assetId'>
  /** currency or asset of the payment that completed the order */
  receivedCurrency: Transaction['receivedCurrency']
}

export interface UnmatchedMovement {
  payment: Pick<UnmatchedPayment, 'id' | 'orderId' | 'reason' | 'value' | 'createdAt'>
  incoming: Pick<IncomingPayment, 'assetId' | 'amountAtomic' | 'txId' | 'txIn' | 'txOut'>
  order: OfOrder & Pick<Order, 'currency'>
  attempt: Pick<Attempt, 'methodKey' | 'methodName' | 'decimals' | 'assetId'>
}

/** An order that was marked as paid manually. */
export type ForcedRow = OfOrder &
  Pick<Order, 'id' | 'amount' | 'currency' | 'forceReason'> & { forcedAt: number }

/** Lists of all movements of money, oldest first. Each list continues after a row. */
export interface Movements {
  listPayments(range: MovementRange, limit: number, after: PageStart | null): Promise<PaymentRow[]>
  listRefunds(
    range: MovementRange,
    limit: number,
    after: PageStart | null,
  ): Promise<Omit<RefundRow, 'before'>[]>
  /** Lists orders that were marked as paid manually and have no known payment. */
  listForced(range: MovementRange, limit: number, after: PageStart | null): Promise<ForcedRow[]>
  /** Lists mined transactions that moved funds, by the time of their block. */
  listNetworkFees(
    range: MovementRange,
    limit: number,
    after: PageStart | null,
  ): Promise<(SweepTransaction & { minedAt: number })[]>
  /** Lists payments that neither settled their order nor disappeared from their chain. */
  listUnmatched(range: MovementRange, limit: number, after: PageStart | null): Promise<UnmatchedMovement[]>
}
