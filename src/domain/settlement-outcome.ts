import type { Attempt } from './attempt.ts'
import type { Json } from './metadata.ts'
import type { Amount } from './money.ts'
import type { IncomingPayment } from './payment.ts'
import type { Settlement, Transaction } from './transaction.ts'

/** Details of an order's settlement, for the merchant. */
export interface SettlementOutcome {
  /** true if any counted payment was late */
  late: boolean
  /** the missing part of the order's amount, in its currency; null if nothing is missing */
  shortfall: Amount | null
  /** name of the person who accepted unmatched payments for the order; null if nobody had to */
  acceptedBy: string | null
  /** contribution of each attempt */
  parts: Json[]
}

/** The payment of an order: the attempt that completed it, its payments, and the rule that was applied. */
export interface Paying {
  /** the attempt that completed the order */
  attempt: Attempt
  payments: IncomingPayment[]
  received: Pick<Transaction, 'receivedAmount' | 'receivedCurrency'>
  settlement: Pick<Settlement, 'verdict' | 'rule' | 'evidence'>
  outcome: SettlementOutcome
  /** share of the due amount that the page brought; null if it does not show the method's usual fees */
  pageShare: number | null
  /** amount that the completing attempt received in its own coin, atomic */
  confirmedAtomic: bigint
  /** true if more arrived than the order asked for */
  isOverpaid: boolean
  /** the sum that counts, and the value of its late part, in units of value */
  settled: bigint
  lateValue: bigint
}
