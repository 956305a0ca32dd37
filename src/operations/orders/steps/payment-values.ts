import type { Json } from '../../../domain/metadata.ts'
import type { Amount } from '../../../domain/money.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import { moneyBelow } from '../../../domain/quote.ts'
import type { Tables } from '../../../storage/port.ts'
import { assess } from '../../settlement/assess.ts'
import { type LoadContext, loadCase } from '../../settlement/load.ts'

/** The value of each payment of an order, by the payment's ID; null where it is not known. */
export type PaymentValues = ReadonlyMap<string, Amount | null>

/**
 * The value of each payment of an order: as its settlement counted it, as it was recorded when it became
 * unmatched, or as it counts now. Recorded values come first, because rates are deleted after some days.
 */
export async function loadPaymentValues(
  context: LoadContext,
  tables: Tables,
  orderId: string,
): Promise<PaymentValues> {
  const of = await loadCase(context, tables, orderId)
  const settlement = await tables.transactions.findSettlement(orderId)
  const settled = valuesOf(settlement?.evidence ?? null)
  const recorded = new Map(of.unmatched.map(row => [row.incomingPaymentId, row.value]))
  const payments = of.attempts.flatMap(one => one.payments)
  const counted = new Map(
    assess(of).attempts.flatMap(({ credits }) => credits.map(({ payment, value }) => [payment.id, value])),
  )
  return new Map(
    payments.map(payment => {
      const now = counted.get(payment.id) ?? null
      const known = recorded.get(payment.id) ?? settled.get(keyOf(payment))
      return [payment.id, known ?? (now === null ? null : moneyBelow(now, of.order))]
    }),
  )
}

type Key = Pick<IncomingPayment, 'source' | 'txId' | 'txIndex'>

const keyOf = ({ source, txId, txIndex }: Key): string => `${source} ${txId} ${txIndex}`

/** The value of each payment in the evidence of a settlement. */
function valuesOf(evidence: Json): Map<string, string> {
  const { incomingPayments = [] } = (evidence ?? {}) as { incomingPayments?: (Key & { value?: Json })[] }
  return new Map(
    incomingPayments.flatMap(one =>
      typeof one.value === 'string' ? [[keyOf(one), one.value] as const] : [],
    ),
  )
}
