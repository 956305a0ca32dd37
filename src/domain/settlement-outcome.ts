import type { Json } from './metadata.ts'
import type { Amount } from './money.ts'

/** What a merchant learns about a settlement besides its amount. */
export interface SettlementOutcome {
  /** whether any of the payments was late */
  late: boolean
  /** what is missing of the order's amount, in its currency; null if nothing is */
  shortfall: Amount | null
  /** who accepted payments that settle nothing by themselves */
  acceptedBy: string | null
  /** what each attempt contributed */
  parts: Json[]
}
