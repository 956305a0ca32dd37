import type { Attempt } from '../../../domain/attempt.ts'
import type { Order, PaymentState } from '../../../domain/order.ts'
import type { Tables } from '../../../storage/port.ts'

const isPartPaid = ({ receivedAtomic, thresholdAtomic }: Attempt): boolean =>
  receivedAtomic > 0n && receivedAtomic < thresholdAtomic

/** What the attempts of an order that is not paid amount to. */
function stateOf(attempts: readonly Attempt[]): PaymentState | null {
  if (attempts.some(({ state }) => state === 'confirming')) return 'CONFIRMING'
  return attempts.some(isPartPaid) ? 'PART_PAID' : null
}

/** Keeps what arrived for an order beside its status, after one of its attempts changed. */
export async function recordPaymentState(tables: Tables, { id }: Pick<Order, 'id'>): Promise<void> {
  const found = await tables.orders.find(id)
  if (found?.order.status !== 'UNPAID' && found?.order.status !== 'EXPIRED') return
  const paymentState = stateOf(await tables.attempts.listOf(id))
  if (paymentState !== found.order.paymentState) await tables.orders.update(id, { paymentState })
}

/** More arrived for a paid order than was due. */
export const recordOverpaid = (tables: Tables, { id }: Pick<Order, 'id'>): Promise<void> =>
  tables.orders.update(id, { paymentState: 'OVERPAID' })
