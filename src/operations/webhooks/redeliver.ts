import { Refusal } from '../../domain/errors.ts'
import { isTestShop } from '../../domain/test-shop.ts'
import type { Event, EventWithDelivery, Webhook } from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { requireEvent } from './read-events.ts'
import { webhooksFor } from './steps/further.ts'
import { queueOf, refOf } from './steps/queue.ts'
import { releaseParked, scheduleDelivery } from './steps/release.ts'

/**
 * Sends an event again now, unchanged, even if it was delivered or given up. Its retry schedule restarts. An
 * event that is already due is not changed.
 */
export const redeliverEvent = (
  context: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  id: string,
): Promise<EventWithDelivery> =>
  context.storage.write(async tables => {
    const found = await requireEvent(tables, merchantId, id)
    const now = context.clock()
    if (isTestShop(merchantId)) {
      await redeliverTest(tables, found.event, now)
      return requireEvent(tables, merchantId, id)
    }
    await requireActive(tables, merchantId)
    const { nextAttemptAt } = found.delivery
    if (nextAttemptAt !== null && nextAttemptAt <= now) return found
    await scheduleDelivery(tables, queueOf(tables, { merchantId, furtherId: null }), found.event, now)
    return requireEvent(tables, merchantId, id)
  })

/** Sends an event of a test order again to each active webhook that got it. */
async function redeliverTest(tables: Tables, { id, merchantId }: Event, now: number): Promise<void> {
  const webhooks = (await webhooksFor(tables, { merchantId })).filter(({ status }) => status === 'active')
  const deliveries = await tables.furtherDeliveries.listOfEvent(id)
  const again = deliveries.flatMap(delivery => {
    const webhook = webhooks.find(one => one.id === delivery.webhookId)
    return webhook ? [{ webhook, delivery }] : []
  })
  if (again.length === 0) throw noWebhook()
  for (const { webhook, delivery } of again)
    await scheduleDelivery(tables, queueOf(tables, refOf(webhook)), delivery, now)
}

/** Sends these events again now. If one of them does not exist, none is sent. */
export async function redeliverEvents(
  context: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  eventIds: string[],
): Promise<number> {
  const ids = [...new Set(eventIds)]
  await context.storage.read(async tables => {
    for (const id of ids) await requireEvent(tables, merchantId, id)
  })
  for (const id of ids) await redeliverEvent(context, merchantId, id)
  return ids.length
}

/**
 * Sends every subscribed event that was given up or waits, to each webhook that is active. Returns the number
 * of deliveries.
 */
export async function redeliverFailed(
  context: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
): Promise<number> {
  const release = () =>
    context.storage.write(async tables => {
      const active = (await tables.webhooks.listOf(merchantId)).filter(({ status }) => status === 'active')
      if (active.length === 0) throw noWebhook()
      let released = 0
      for (const webhook of active) released += await releaseParked(tables, webhook, context.clock())
      return released
    })
  let count = 0
  for (let some = await release(); some > 0; some = await release()) count += some
  return count
}

const noWebhook = () =>
  new Refusal('conflict', 'There is no active webhook. Set its URL first.', {
    reason: { kind: 'no_webhook' },
  })

async function requireActive(tables: Tables, merchantId: string): Promise<Webhook> {
  const webhook = await tables.webhooks.find(merchantId)
  if (webhook?.status === 'active') return webhook
  throw noWebhook()
}
