import { comesBefore, type Event, type MessageType, type Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'

const WAIT_MAX_MS = 15 * 60_000
const PAUSE_MS = 1000

/**
 * Returns when an event of an invoice may be sent to a plugin: `now`, or later while another event of the
 * invoice has to be sent before. Some plugins set an order back when an event about its payment arrives after
 * InvoiceSettled, and others ignore InvoiceSettled until they have the event about the payment. An event
 * waits for at most 15 minutes, because a plugin may refuse the other event every time.
 */
export async function turnOf(
  tables: Tables,
  webhook: Webhook,
  { type, orderId, createdAt }: Pick<Event<MessageType>, 'type' | 'orderId' | 'createdAt'>,
  now: number,
): Promise<number> {
  const end = createdAt + WAIT_MAX_MS
  if (now >= end) return now
  const waiting = await tables.furtherDeliveries.listWaiting(webhook.id, orderId)
  const earlier = waiting.filter(one => comesBefore(one.type, type))
  if (earlier.length === 0) return now
  const next = Math.min(...earlier.map(({ nextAttemptAt }) => nextAttemptAt ?? now))
  return Math.min(end, Math.max(now + PAUSE_MS, next))
}
