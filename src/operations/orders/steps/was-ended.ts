import type { Order } from '../../../domain/order.ts'
import type { Tables } from '../../../storage/port.ts'

const CHANGES_MAX = 500

/** Returns true if an order has expired before its time, because the merchant ended it. */
export async function wasEnded(
  tables: Tables,
  { id, status, expiresAt, expiredAt }: Order,
): Promise<boolean> {
  // An ended order expires at the time of its end. One whose time was over may do so too, by chance.
  if (status !== 'EXPIRED' || expiredAt !== expiresAt) return false
  const changes = await tables.audit.listOfSubject(`order:${id}`, CHANGES_MAX)
  return changes.some(({ action }) => action === 'order.ended')
}
