import { formatTimestamp } from '../domain/timestamp.ts'
import type { EventWithDelivery } from '../domain/webhook.ts'
import { markOf } from './order.ts'

/** An event with its delivery attempts. */
export const presentEvent = ({ event, delivery }: EventWithDelivery) => ({
  id: event.id,
  type: event.type,
  orderUUID: event.orderId,
  createdAt: formatTimestamp(event.createdAt),
  livemode: markOf(event),
  status: delivery.status,
  nextAttemptAt: delivery.nextAttemptAt === null ? null : formatTimestamp(delivery.nextAttemptAt),
  attempts: delivery.tries.map(({ at, httpStatus, outcome, durationMs }) => ({
    at: formatTimestamp(at),
    httpStatus,
    outcome,
    durationMs,
  })),
})
