import type { Attempt } from './attempt.ts'
import { type Coverage, missingOf } from './coverage.ts'
import { type Amount, amountOf, ceilDiv, minorOf } from './money.ts'
import type { Order } from './order.ts'
import { isShort } from './settlement.ts'

/** What a merchant learns about a settlement besides its amount. */
export interface SettlementOutcome {
  late: boolean
  /** what is missing of the order's amount, in its currency; null if nothing is */
  shortfall: Amount | null
  /** who accepted payments that settle nothing by themselves */
  acceptedBy: string | null
}

type Priced = Pick<Order, 'amount' | 'currency'>

interface Settled {
  verdict: string
  confirmedAtomic: bigint
  coverage: Coverage
}

/** What is missing of an order's amount, rounded up: never zero while anything is missing. */
export function shortfallOf(
  order: Priced,
  attempt: Attempt,
  { verdict, confirmedAtomic, coverage }: Settled,
): Amount | null {
  if (attempt.kind === 'address' && verdict === 'late') return missingOf(attempt, order, coverage)
  if (!isShort(attempt, confirmedAtomic)) return null
  const missing = minorOf(order.amount, order.currency) * (attempt.dueAtomic - confirmedAtomic)
  return amountOf(ceilDiv(missing, attempt.dueAtomic), order.currency)
}
