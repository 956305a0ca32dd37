import { Refusal } from '../../domain/errors.ts'
import type { EventWithDelivery } from '../../domain/webhook.ts'
import type { Context } from '../context.ts'
import { requireEvent } from './read-events.ts'
import { scheduleDelivery } from './steps/release.ts'

/**
 * Sends an event again now, unchanged, even one that was delivered or given up. Its retry schedule restarts.
 * An event that is already due stays as it is.
 */
export const redeliverEvent = (
  context: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  id: string,
): Promise<EventWithDelivery> =>
  context.storage.write(async tables => {
    const { event, delivery } = await requireEvent(tables, merchantId, id)
    const webhook = await tables.webhooks.find(merchantId)
    if (webhook?.status !== 'active') {
      throw new Refusal('conflict', 'There is no active webhook. Set its URL first.')
    }
    const now = context.clock()
    if (delivery.nextAttemptAt !== null && delivery.nextAttemptAt <= now) return { event, delivery }
    await scheduleDelivery(tables, merchantId, id, now)
    return requireEvent(tables, merchantId, id)
  })
