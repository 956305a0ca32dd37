import type { Order } from '../../../domain/order.ts'
import type { Event, MessageType } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'

const NAME = 'X-Service-Settlement'

/** The header that says how the order of an `order.paid` event was settled; empty for other events. */
export async function settlementHeader(
  tables: Pick<Tables, 'orders' | 'transactions'>,
  event: Pick<Event<MessageType>, 'type' | 'orderId'>,
): Promise<Record<string, string>> {
  if (event.type !== 'order.paid') return {}
  const found = await tables.orders.find(event.orderId)
  if (found && isForced(found.order)) return { [NAME]: 'forced' }
  const settlement = await tables.transactions.findSettlement(event.orderId)
  return settlement ? { [NAME]: settlement.verdict } : {}
}

const isForced = ({ forcedAt }: Order): boolean => forcedAt !== null
