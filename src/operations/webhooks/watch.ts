import { assert } from '../../domain/errors.ts'
import {
  alertsDue,
  type DeliveryTry,
  nextAlertAt,
  PROBE_EVERY_MS,
  type Webhook,
  withTry,
} from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyOf } from '../notices/notify.ts'
import { countFailure, countSuccess, hostOf } from './steps/count-outcome.ts'
import { eventHeaders } from './steps/event-headers.ts'
import { queueOf, refOf, refOfSubject, type WebhookRef } from './steps/queue.ts'
import { type SendContext, sendMessage, testMessage } from './steps/send.ts'

type WatchContext = SendContext & Pick<Context, 'storage' | 'ids' | 'log'>

/**
 * Notifies the merchant of a failing webhook. Probes the webhook once a day if it is disabled, or if events
 * were given up: without new orders, nothing else would find out that it works again, or disable it. Returns
 * the time of the next check; null if the webhook works.
 */
export const watchWebhook = (context: WatchContext, merchantId: string): Promise<number | null> =>
  watch(context, { merchantId, furtherId: null })

/** Like `watchWebhook`, for a webhook that is not the first one. */
export const watchFurther = (context: WatchContext, subject: string): Promise<number | null> =>
  watch(context, refOfSubject(subject))

async function watch(context: WatchContext, ref: WebhookRef): Promise<number | null> {
  const webhook = await context.storage.read(tables => queueOf(tables, ref).webhook())
  if (webhook === null) return null
  if (webhook.status === 'active') {
    if (webhook.failingSince === null) return null
    const dueAt = nextAlertAt(webhook)
    if (dueAt !== null) return dueAt > context.clock() ? dueAt : alert(context, webhook)
    if (!(await oldestParked(context, webhook))) return context.clock() + PROBE_EVERY_MS
  }
  return (await probe(context, webhook)) ? null : context.clock() + PROBE_EVERY_MS
}

/** The oldest event that was given up or waits for the webhook. */
const oldestParked = ({ storage }: WatchContext, webhook: Webhook) =>
  storage.read(async tables => (await queueOf(tables, refOf(webhook)).listParked(webhook, 1))[0])

async function alert(context: WatchContext, watched: Webhook): Promise<number | null> {
  const { merchantId } = watched
  const alerted = await context.storage.write(async tables => {
    const queue = queueOf(tables, refOf(watched))
    const webhook = await queue.webhook()
    if (!webhook || webhook.failingSince === null) return null
    const alerts = alertsDue(webhook, context.clock())
    if (alerts <= webhook.alerts) return webhook
    const changed = { ...webhook, alerts }
    await queue.put(changed)
    const { failingSince: since, failures } = webhook
    const facts = { about: 'webhook_failing', host: hostOf(webhook), since, failures } as const
    await notifyOf(context, tables, merchantId, facts)
    return changed
  })
  if (alerted === null) return null
  const { failingSince, failures } = alerted
  context.log.warn({ merchantId, host: hostOf(alerted), failingSince, failures }, 'webhook.failing')
  return nextAlertAt(alerted) ?? context.clock() + PROBE_EVERY_MS
}

/** Sends the oldest waiting event, or a test event if no event waits. Returns true if it was accepted. */
async function probe(context: WatchContext, webhook: Webhook): Promise<boolean> {
  const { merchantId } = webhook
  const ref = refOf(webhook)
  const parked = await oldestParked(context, webhook)
  const waiting = await context.storage.read(async tables => {
    const found = parked ? await queueOf(tables, ref).find(parked.id) : null
    return found && { id: parked?.id ?? '', ...found, headers: await eventHeaders(tables, found.event) }
  })
  const at = context.clock()
  const message = waiting
    ? { ...waiting.event, deliveryId: waiting.id, isRepeated: waiting.delivery.tries.length > 0 }
    : testMessage(context, webhook)
  const result = await sendMessage(context, webhook, message, waiting?.headers)
  const isDelivered = result.outcome === 'delivered'
  await context.storage.write(async tables => {
    if (waiting) await recordProbe(tables, ref, waiting.id, { at, ...result })
    if (isDelivered) await countSuccess(context, tables, ref)
    else await countFailure(context, tables, ref, at)
  })
  const { httpStatus, outcome } = result
  context.log.info({ merchantId, host: hostOf(webhook), httpStatus, outcome }, 'webhook.probed')
  return isDelivered
}

/** Records the try of a probe. Does not change the event's schedule: it may have been released meanwhile. */
async function recordProbe(tables: Tables, ref: WebhookRef, id: string, outcome: DeliveryTry): Promise<void> {
  const queue = queueOf(tables, ref)
  const found = await queue.find(id)
  // A webhook that is not the first one may have been deleted meanwhile.
  if (!found && ref.furtherId !== null) return
  assert(found, 'events are never deleted')
  const tries = withTry(found.delivery.tries, outcome)
  const delivered = { status: 'delivered', nextAttemptAt: null } as const
  await queue.update(id, {
    ...(outcome.outcome === 'delivered' && delivered),
    tries,
    updatedAt: outcome.at,
  })
}
