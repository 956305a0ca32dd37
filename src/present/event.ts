import { printInstant } from '../domain/timestamp.ts'
import type { EventWithDelivery } from '../domain/webhook.ts'

/** An event read back, with everything that was tried to deliver it. */
export const presentEvent = ({ event, delivery }: EventWithDelivery) => ({
  id: event.id,
  type: event.type,
  orderUUID: event.orderId,
  createdAt: printInstant(event.createdAt),
  status: delivery.status,
  nextAttemptAt: delivery.nextAttemptAt === null ? null : printInstant(delivery.nextAttemptAt),
  attempts: delivery.tries.map(({ at, httpStatus, outcome, durationMs }) => ({
    at: printInstant(at),
    httpStatus,
    outcome,
    durationMs,
  })),
})
