import type { Attempt } from '../../../domain/attempt.ts'
import { isInTime, worthOf } from '../../../domain/coverage.ts'
import type { Json } from '../../../domain/metadata.ts'
import type { Amount } from '../../../domain/money.ts'
import type { Order } from '../../../domain/order.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import type { Tables, UnmatchedRow } from '../../../storage/port.ts'
import { loadRates } from './value-payments.ts'

/** The value of each payment of an order, by the payment's ID; null where it is not known. */
export type PaymentValues = ReadonlyMap<string, Amount | null>

/**
 * Values what arrived for an attempt as its settlement did, or as it was recorded as unmatched: rates are
 * deleted after some days.
 */
export async function loadPaymentValues(
  tables: Tables,
  order: Order,
  attempt: Attempt,
  incomingPayments: IncomingPayment[],
  unmatched: UnmatchedRow[],
): Promise<[string, Amount | null][]> {
  const late = incomingPayments.filter(one => !isInTime(attempt, one))
  const settlement = late.length > 0 ? await tables.transactions.findSettlement(order.id) : null
  const settled = lateRatesOf(settlement?.evidence ?? null)
  const kept = await loadRates(tables, order, late)
  const recorded = new Map(unmatched.map(({ payment }) => [payment.incomingPaymentId, payment.value]))
  return incomingPayments.map(incoming => {
    const known = recorded.get(incoming.id)
    if (known !== undefined && known !== null) return [incoming.id, known]
    if (attempt.dueAtomic === 0n || incoming.assetId !== attempt.assetId) return [incoming.id, null]
    const rate = settled.get(keyOf(incoming)) ?? kept.get(incoming.id)
    const price = rate === undefined ? null : { rate, decimals: attempt.decimals }
    return [incoming.id, worthOf(attempt, order, incoming, price)]
  })
}

type Key = Pick<IncomingPayment, 'source' | 'txId' | 'txIndex'>

const keyOf = ({ source, txId, txIndex }: Key): string => `${source} ${txId} ${txIndex}`

/** The rate of each late payment, from the evidence of a settlement. */
function lateRatesOf(evidence: Json): Map<string, string> {
  const { incomingPayments = [] } = (evidence ?? {}) as { incomingPayments?: (Key & { lateRate?: Json })[] }
  return new Map(
    incomingPayments.flatMap(one =>
      typeof one.lateRate === 'string' ? [[keyOf(one), one.lateRate] as const] : [],
    ),
  )
}
