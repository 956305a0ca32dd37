import type { Attempt } from '../../../domain/attempt.ts'
import type { IncomingPayment } from '../../../domain/payment.ts'
import type { Tables } from '../../../storage/port.ts'

/**
 * The payments of an attempt that can pay its order. What the merchant has dealt with, for example sent back,
 * no longer can: with a later payment it would pay the order a second time.
 */
export async function keptPayments(
  tables: Tables,
  { id, provider }: Attempt,
  incomingPayments: IncomingPayment[],
): Promise<IncomingPayment[]> {
  if (!incomingPayments.some(({ state, settles }) => state === 'final' && !settles)) return incomingPayments
  const rows = await tables.unmatched.listOfAttempt(id)
  const handled = new Set(
    rows.flatMap(({ payment, incoming }) =>
      payment.status === 'resolved' && !incoming.settles ? [incoming.id] : [],
    ),
  )
  if (handled.size === 0) return incomingPayments
  // A provider's status may report a total, which includes them.
  const isKept = (incoming: IncomingPayment): boolean => provider === null || incoming.txIn !== null
  return incomingPayments.filter(
    incoming => incoming.settles || (!handled.has(incoming.id) && isKept(incoming)),
  )
}
