import { randomAlphanumeric } from '../../domain/api-key.ts'
import { invalid, Refusal } from '../../domain/errors.ts'
import { type EventType, eventTypes, type Webhook } from '../../domain/webhook.ts'
import type { Context } from '../context.ts'
import { releaseAll } from './steps/release.ts'

const SECRET_LENGTH = 40

export const getWebhook = (context: Pick<Context, 'storage'>, merchantId: string): Promise<Webhook | null> =>
  context.storage.read(tables => tables.webhooks.find(merchantId))

/**
 * Sets the merchant's webhook URL. Keeps the secret and the subscriptions, reactivates a disabled endpoint
 * and sends every event that was given up or waited. `created` is true the first time, when the secret is
 * returned.
 */
export async function changeWebhook(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'outbound'>,
  merchantId: string,
  url: string,
): Promise<{ webhook: Webhook; created: boolean }> {
  await context.outbound.check(url, '/url', true)
  return context.storage.write(async tables => {
    const now = context.clock()
    const known = await tables.webhooks.find(merchantId)
    const webhook: Webhook = {
      ...(known ?? first(context, merchantId, now)),
      url,
      status: 'active',
      failingSince: null,
      failures: 0,
      alerts: 0,
      updatedAt: now,
    }
    await tables.webhooks.put(webhook)
    await releaseAll(tables, webhook, now)
    return { webhook, created: known === null }
  })
}

/** Sets which events are delivered from now on. */
export async function chooseEvents(
  context: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  names: string[],
): Promise<Webhook> {
  const unknown = names.find(name => !eventTypes.includes(name as EventType))
  if (unknown !== undefined || names.length === 0) {
    throw invalid('events', `must be a list of ${eventTypes.join(', ')}`)
  }
  return context.storage.write(async tables => {
    const known = await tables.webhooks.find(merchantId)
    if (!known)
      throw new Refusal('not_found', 'This merchant has no webhook. Set a URL with PUT /v1/webhook first.')
    const events = eventTypes.filter(type => names.includes(type))
    const webhook = { ...known, events, updatedAt: context.clock() }
    await tables.webhooks.put(webhook)
    return webhook
  })
}

const first = (context: Pick<Context, 'ids'>, merchantId: string, now: number) => ({
  id: context.ids.uuid(),
  merchantId,
  events: ['order.paid' as const],
  secret: `whsec_${randomAlphanumeric(context.ids.random, SECRET_LENGTH)}`,
  createdAt: now,
})
