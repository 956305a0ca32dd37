import { createHmac } from 'node:crypto'
import { assert } from '../../domain/errors.ts'
import {
  type Delivery,
  type DeliveryTry,
  type Event,
  nextTryAt,
  shouldDisable,
  type Webhook,
} from '../../domain/webhook.ts'
import type { PostResult } from '../../outbound/port.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { settlementHeader } from './steps/settlement-header.ts'

/** Unpadded base64url HMAC-SHA256 of timestamp, a dot and the exact body (spec 6.1). */
const signDelivery = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')

/** Delivers an event once and records the outcome. Returns when to try again, or null when done. */
export async function deliverEvent(
  context: Pick<Context, 'storage' | 'clock' | 'ids' | 'outbound'>,
  eventId: string,
): Promise<number | null> {
  const found = await context.storage.read(async tables => {
    const row = await tables.events.find(eventId)
    if (!row) return null
    const settlement = await settlementHeader(tables, row.event)
    return { ...row, settlement, webhook: await tables.webhooks.find(row.event.merchantId) }
  })
  if (found?.delivery.status !== 'pending' || found.delivery.nextAttemptAt === null) return null
  const now = context.clock()
  if (found.delivery.nextAttemptAt > now) return found.delivery.nextAttemptAt
  if (found.webhook?.status !== 'active') {
    const parked = { nextAttemptAt: null, updatedAt: now }
    await context.storage.write(tables => tables.events.updateDelivery(eventId, parked))
    return null
  }
  const answer = await send(context, found.event, found.webhook, found.settlement, now)
  return context.storage.write(tables => record(context, tables, eventId, { at: now, ...answer }))
}

function send(
  context: Pick<Context, 'outbound'>,
  event: Event,
  webhook: Webhook,
  settlement: Record<string, string>,
  now: number,
): Promise<PostResult> {
  const timestamp = Math.floor(now / 1000).toString()
  const headers = {
    'Content-Type': 'application/json',
    'X-Service-Event': event.type,
    'X-Service-Event-Id': event.id,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': signDelivery(webhook.secret, timestamp, event.body),
    ...settlement,
  }
  return context.outbound.post(webhook.url, headers, event.body)
}

async function record(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  eventId: string,
  outcome: DeliveryTry,
): Promise<number | null> {
  const found = await tables.events.find(eventId)
  assert(found, 'events are never deleted')
  const now = context.clock()
  const tries = [...found.delivery.tries, outcome]
  const firstTriedAt = found.delivery.firstTriedAt ?? outcome.at
  await countOutcome(context, tables, found.event, outcome)
  // Earlier tries belong to a delivery before a redelivery request.
  const count = tries.filter(({ at }) => at >= firstTriedAt).length
  const change = ending(context, found.delivery, outcome, count, firstTriedAt)
  await tables.events.updateDelivery(eventId, { ...change, tries, firstTriedAt, updatedAt: now })
  return change.nextAttemptAt
}

function ending(
  context: Pick<Context, 'clock' | 'ids'>,
  delivery: Delivery,
  outcome: DeliveryTry,
  tries: number,
  firstTriedAt: number,
): Pick<Delivery, 'status' | 'nextAttemptAt'> {
  if (outcome.outcome === 'delivered') return { status: 'delivered', nextAttemptAt: null }
  if (delivery.status !== 'pending') return { status: delivery.status, nextAttemptAt: null }
  const chance = new DataView(context.ids.random(4).buffer).getUint32(0) / 2 ** 32
  const next = nextTryAt(tries, firstTriedAt, context.clock(), chance)
  return { status: next === null ? 'failed' : 'pending', nextAttemptAt: next }
}

/** Disables an endpoint after days of failures and notifies the merchant. */
async function countOutcome(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  event: Event,
  outcome: DeliveryTry,
): Promise<void> {
  const webhook = await tables.webhooks.find(event.merchantId)
  if (!webhook) return
  const now = context.clock()
  if (outcome.outcome === 'delivered') {
    if (webhook.failingSince === null) return
    await tables.webhooks.put({ ...webhook, failingSince: null, failures: 0 })
    return
  }
  const failing = {
    ...webhook,
    failingSince: webhook.failingSince ?? outcome.at,
    failures: webhook.failures + 1,
  }
  const hopeless = webhook.status === 'active' && shouldDisable(failing, now)
  await tables.webhooks.put(hopeless ? { ...failing, status: 'disabled', updatedAt: now } : failing)
  if (!hopeless) return
  await tables.notifications.insert({
    id: context.ids.uuid(),
    merchantId: webhook.merchantId,
    kind: 'webhook_disabled',
    orderId: null,
    text: 'Your webhook was disabled: no event could be delivered for 5 days. Set its URL to enable it.',
    createdAt: now,
  })
}
