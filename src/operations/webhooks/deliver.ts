import { assert } from '../../domain/errors.ts'
import { shopOf } from '../../domain/test-shop.ts'
import {
  type Delivery,
  type DeliveryTry,
  type Event,
  isOfPaidOrder,
  isTooEarly,
  type MessageType,
  type MessageWithDelivery,
  nextTryAt,
  type Webhook,
  withTry,
} from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyOf } from '../notices/notify.ts'
import { countFailure, countSuccess, hostOf } from './steps/count-outcome.ts'
import { eventHeaders } from './steps/event-headers.ts'
import { type Queue, queueOf, type WebhookRef } from './steps/queue.ts'
import { type SendContext, sendMessage } from './steps/send.ts'
import { turnOf } from './steps/turn.ts'

type DeliveryContext = SendContext & Pick<Context, 'storage' | 'ids' | 'log'>

interface TryOutcome {
  status: Delivery['status']
  nextAttemptAt: number | null
  isDisabled: boolean
}

/** A delivery that was tried. The outcome is not stored yet. */
export interface DeliveryOutcome {
  isAccepted: boolean
  durationMs: number
  /**
   * Records the outcome, in the write that ends the job. Returns the time of the next try, or null when done.
   */
  record(tables: Tables): Promise<number | null>
  /** Call once the outcome is stored. */
  onStored(): void
}

/**
 * Delivers an event once to the first webhook. If it must not be delivered now, returns when it is due; null
 * for never.
 */
export const deliverEvent = (
  context: DeliveryContext,
  eventId: string,
): Promise<DeliveryOutcome | number | null> =>
  deliver(context, eventId, async tables => {
    const found = await tables.events.find(eventId)
    return found && { ...found, ref: { merchantId: found.event.merchantId, furtherId: null } }
  })

/** Like `deliverEvent`, for a delivery to another webhook. */
export const deliverFurther = (
  context: DeliveryContext,
  id: string,
): Promise<DeliveryOutcome | number | null> =>
  deliver(context, id, async tables => {
    const found = await tables.furtherDeliveries.find(id)
    if (!found) return null
    const { event, delivery } = found
    return { event, delivery, ref: { merchantId: shopOf(event.merchantId), furtherId: delivery.webhookId } }
  })

async function deliver(
  context: DeliveryContext,
  id: string,
  find: (tables: Tables) => Promise<(MessageWithDelivery & { ref: WebhookRef }) | null>,
): Promise<DeliveryOutcome | number | null> {
  const now = context.clock()
  const found = await context.storage.read(async tables => {
    const known = await find(tables)
    if (!known) return null
    const webhook = await queueOf(tables, known.ref).webhook()
    return {
      ...known,
      headers: await eventHeaders(tables, known.event),
      webhook,
      turnAt: webhook?.format === 'greenfield' ? await turnOf(tables, webhook, known.event, now) : now,
    }
  })
  if (found?.delivery.status !== 'pending' || found.delivery.nextAttemptAt === null) return null
  const { delivery, event, ref, webhook, headers, turnAt } = found
  const { nextAttemptAt } = found.delivery
  if (isTooEarly(nextAttemptAt, delivery, now)) return nextAttemptAt
  if (webhook?.status !== 'active') return waitForWebhook(context, ref, id, now)
  if (turnAt > now) return turnAt
  const message = { ...event, deliveryId: id, isRepeated: delivery.tries.length > 0 }
  const outcome = { at: now, ...(await sendMessage(context, webhook, message, headers)) }
  let recorded: TryOutcome | null = null
  return {
    isAccepted: outcome.outcome === 'delivered',
    durationMs: outcome.durationMs,
    async record(tables) {
      recorded = await record(context, tables, ref, id, outcome)
      return recorded.nextAttemptAt
    },
    onStored() {
      if (recorded) logOutcome(context, event, webhook, outcome, recorded)
    },
  }
}

/** Leaves an event waiting until the webhook is enabled, or returns `now` if it was enabled meanwhile. */
const waitForWebhook = (
  { storage }: Pick<Context, 'storage'>,
  ref: WebhookRef,
  id: string,
  now: number,
): Promise<number | null> =>
  storage.write(async tables => {
    const queue = queueOf(tables, ref)
    if ((await queue.webhook())?.status === 'active') return now
    await queue.update(id, { nextAttemptAt: null, updatedAt: now })
    return null
  })

const nothing: TryOutcome = { status: 'failed', nextAttemptAt: null, isDisabled: false }

async function record(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  ref: WebhookRef,
  id: string,
  outcome: DeliveryTry,
): Promise<TryOutcome> {
  const queue: Queue = queueOf(tables, ref)
  const found = await queue.find(id)
  // A webhook that is not the first one may have been deleted meanwhile.
  if (!found && ref.furtherId !== null) return nothing
  assert(found, 'events are never deleted')
  const { event, delivery } = found
  const tries = withTry(delivery.tries, outcome)
  const firstTriedAt = Math.min(delivery.firstTriedAt ?? outcome.at, outcome.at)
  // Earlier tries were made before a redelivery was requested.
  const count = tries.filter(({ at }) => at >= firstTriedAt).length
  const change = ending(context, delivery, outcome, count, firstTriedAt)
  await queue.update(id, { ...change, tries, firstTriedAt, updatedAt: context.clock() })
  if (outcome.outcome === 'delivered') {
    await countSuccess(context, tables, ref)
    return { ...change, isDisabled: false }
  }
  const isDisabled = await countFailure(context, tables, ref, outcome.at)
  if (delivery.status === 'pending' && change.status === 'failed') await giveUp(context, tables, event, count)
  return { ...change, isDisabled }
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

/** Notifies the merchant if the event is of a paid order, because their shop does not know of the payment. */
async function giveUp(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  event: Event<MessageType>,
  tries: number,
): Promise<void> {
  if (!isOfPaidOrder(event.type)) return
  const { merchantId, orderId } = event
  await notifyOf(context, tables, merchantId, { about: 'event_given_up', tries }, orderId)
}

function logOutcome(
  { log }: Pick<Context, 'log'>,
  event: Event<MessageType>,
  webhook: Webhook,
  { outcome, httpStatus, durationMs }: DeliveryTry,
  { status, nextAttemptAt, isDisabled }: TryOutcome,
): void {
  const { id, merchantId, orderId, type } = event
  const about = { eventId: id, orderUUID: orderId, type, merchantId }
  if (outcome === 'delivered') {
    log.info({ ...about, durationMs }, 'webhook.delivered')
    return
  }
  const facts = { ...about, host: hostOf(webhook), outcome, httpStatus, durationMs, nextAttemptAt }
  log.warn(facts, 'webhook.delivery.failed')
  if (status === 'failed') log.warn(about, 'event.given_up')
  if (isDisabled) log.warn({ merchantId, host: hostOf(webhook) }, 'webhook.disabled')
}
