import { lettersOf } from '../domain/key.ts'
import { STALE_AFTER_MS, type Webhook } from '../domain/webhook.ts'
import type { Tables } from '../storage/port.ts'
import { deliveryLane } from './record-event.ts'
import type { World } from './world.ts'

const SECRET_LENGTH = 40

export const readWebhook = (world: World, merchantId: string): Promise<Webhook | null> =>
  world.storage.read(tables => tables.webhooks.find(merchantId))

/**
 * Sets the one webhook URL. Secret and subscriptions stay; a disabled endpoint works again; what waited for
 * an endpoint is sent. `created` says that this was the first time, when the secret is told.
 */
export async function changeWebhook(
  world: World,
  merchantId: string,
  url: string,
): Promise<{ webhook: Webhook; created: boolean }> {
  await world.outbound.check(url, '/url', true)
  return world.storage.write(async tables => {
    const now = world.clock()
    const known = await tables.webhooks.find(merchantId)
    const webhook: Webhook = {
      ...(known ?? first(world, merchantId, now)),
      url,
      status: 'active',
      failingSince: null,
      failures: 0,
      updatedAt: now,
    }
    await tables.webhooks.put(webhook)
    await sendWaiting(tables, merchantId, now)
    return { webhook, created: known === null }
  })
}

const first = (world: World, merchantId: string, now: number) => ({
  id: world.ids.uuid(),
  merchantId,
  events: ['order.paid' as const],
  secret: `whsec_${lettersOf(world.ids.random, SECRET_LENGTH)}`,
  createdAt: now,
})

async function sendWaiting(tables: Tables, merchantId: string, now: number): Promise<void> {
  for (const eventId of await tables.events.waiting(merchantId, now - STALE_AFTER_MS)) {
    await tables.events.updateDelivery(eventId, { nextAttemptAt: now, updatedAt: now })
    await tables.jobs.schedule({
      kind: 'event.deliver',
      subject: eventId,
      lane: deliveryLane(merchantId),
      dueAt: now,
    })
  }
}
