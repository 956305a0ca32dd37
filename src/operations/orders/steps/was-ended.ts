import type { Order } from '../../../domain/order.ts'
import type { Tables } from '../../../storage/port.ts'

const CHANGES_MAX = 500

/** Returns true if an order has expired before its time, because the merchant ended it. */
export async function wasEnded(
  tables: Tables,
  { id, status, expiresAt, expiredAt }: Order,
): Promise<boolean> {
  // Ending an order sets its expiry to the time of its end. An order that simply expired may have equal times
  // by chance, so the audit log is checked too.
  if (status !== 'EXPIRED' || expiredAt !== expiresAt) return false
  const changes = await tables.audit.listOfSubject(`order:${id}`, CHANGES_MAX)
  return changes.some(({ action }) => action === 'order.ended')
}
