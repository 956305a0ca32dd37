import type { Json } from './metadata.ts'
import type { Amount } from './money.ts'

/** Details of an order's settlement, for the merchant. */
export interface SettlementOutcome {
  /** true if any counted payment was late */
  late: boolean
  /** what is missing of the order's amount, in its currency; null if nothing */
  shortfall: Amount | null
  /** who accepted unmatched payments for it; null if nobody had to */
  acceptedBy: string | null
  /** contribution of each attempt */
  parts: Json[]
}
