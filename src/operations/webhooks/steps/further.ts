import type { Order } from '../../../domain/order.ts'
import { shopOf } from '../../../domain/test-shop.ts'
import {
  type Delivery,
  type Event,
  type MessageType,
  takesEventsOf,
  type Webhook,
} from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { queueOf, refOf } from './queue.ts'
import { scheduleJob } from './schedule-delivery.ts'

/** A delivery that was not tried yet. It waits if the webhook is not active. */
export const newDelivery = (
  merchantId: string,
  now: number,
  isSendable: boolean,
): Omit<Delivery, 'eventId'> => ({
  merchantId,
  status: 'pending',
  nextAttemptAt: isSendable ? now : null,
  tries: [],
  firstTriedAt: null,
  createdAt: now,
  updatedAt: now,
})

/** The webhooks that each write has read, by merchant: settling an order records up to three events. */
const readIn = new WeakMap<object, Map<string, Promise<Webhook[]>>>()

function webhooksOf(tables: Pick<Tables, 'webhooks'>, merchantId: string): Promise<Webhook[]> {
  const known = readIn.get(tables) ?? new Map<string, Promise<Webhook[]>>()
  readIn.set(tables, known)
  const found = known.get(merchantId) ?? tables.webhooks.listOf(merchantId)
  known.set(merchantId, found)
  return found
}

/**
 * The webhooks that may get events of an order, which is live or a test, if they are subscribed to them. They
 * are read once in a write, so a write that changes them must not call this before the change.
 */
export const webhooksFor = async (
  tables: Pick<Tables, 'webhooks'>,
  { merchantId }: Pick<Order, 'merchantId'>,
): Promise<Webhook[]> =>
  (await webhooksOf(tables, shopOf(merchantId))).filter(webhook => takesEventsOf(webhook, merchantId))

/** Delivers an event to every webhook beside the first one that is subscribed to it. */
export async function deliverToFurther(
  context: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  event: Event<MessageType>,
  webhooks: readonly Webhook[],
): Promise<void> {
  for (const webhook of webhooks) {
    if (webhook.isFirst || !webhook.events.includes(event.type)) continue
    await deliverTo(context, tables, webhook, event, 'first')
  }
}

/** Delivers an event to a webhook beside the first one. */
export async function deliverTo(
  context: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  webhook: Webhook,
  event: Pick<Event<MessageType>, 'id' | 'type' | 'merchantId'>,
  turn: 'first' | 'repeated',
): Promise<void> {
  const now = context.clock()
  const isSendable = webhook.status === 'active'
  const { type, merchantId, id: eventId } = event
  const id = context.ids.uuid()
  const delivery = newDelivery(merchantId, now, isSendable)
  await tables.furtherDeliveries.insert({ id, webhookId: webhook.id, eventId, type, ...delivery })
  if (isSendable) await scheduleJob(tables, queueOf(tables, refOf(webhook)), { id, type }, now, turn)
}
