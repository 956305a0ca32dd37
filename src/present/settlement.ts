import type { Json } from '../domain/metadata.ts'
import type { SettledPart } from '../domain/settlement-evidence.ts'
import type { OrderHistory } from '../operations/orders/inspect.ts'

/** Removes the reports of providers and chains, which may contain secrets that prove a callback. */
export const withoutReports = (evidence: Json): Json =>
  JSON.parse(JSON.stringify(evidence, (name, value) => (name === 'evidence' ? undefined : value)))

/** The settlement of an order, as in `payment.paid`; null until it is paid. */
export function presentSettlement({ order, settlement }: Pick<OrderHistory, 'order' | 'settlement'>) {
  if (order.forcedAt !== null)
    return { verdict: 'forced', late: false, shortfall: null, acceptedBy: null, parts: [] }
  if (settlement === null) return null
  const { verdict, evidence } = settlement
  // Settlements of an earlier version name neither their parts nor what is missing.
  const known = evidence as {
    shortfall?: string | null
    acceptedBy?: string | null
    late?: boolean
    parts?: SettledPart[]
  }
  const { late = verdict === 'late', shortfall = null, acceptedBy = null, parts = [] } = known
  return { verdict, late, shortfall, acceptedBy, parts }
}
