import type { Order } from '../../../domain/order.ts'
import { isLive } from '../../../domain/test-shop.ts'
import type { Event, MessageType } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'

const SETTLEMENT = 'X-Service-Settlement'
const LIVEMODE = 'X-Service-Livemode'

/**
 * The headers for facts that the body of `order.paid` has no field for: if its order is a live one, and how
 * it was settled.
 */
export async function eventHeaders(
  tables: Pick<Tables, 'orders' | 'transactions'>,
  event: Pick<Event<MessageType>, 'type' | 'orderId' | 'merchantId'>,
): Promise<Record<string, string>> {
  const mode = { [LIVEMODE]: String(isLive(event)) }
  if (event.type !== 'order.paid') return mode
  const found = await tables.orders.find(event.orderId)
  if (found && isForced(found.order)) return { ...mode, [SETTLEMENT]: 'forced' }
  const settlement = await tables.transactions.findSettlement(event.orderId)
  return settlement ? { ...mode, [SETTLEMENT]: settlement.verdict } : mode
}

const isForced = ({ forcedAt }: Order): boolean => forcedAt !== null
