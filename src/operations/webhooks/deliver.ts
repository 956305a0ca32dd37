import { assert } from '../../domain/errors.ts'
import {
  type Delivery,
  type DeliveryTry,
  type Event,
  isTooEarly,
  nextTryAt,
  type Webhook,
  withTry,
} from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'
import type { Context } from '../context.ts'
import { notifyOf } from '../notices/notify.ts'
import { countFailure, countSuccess, hostOf } from './steps/count-outcome.ts'
import { type SendContext, sendMessage } from './steps/send.ts'
import { settlementHeader } from './steps/settlement-header.ts'

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
  /** Records the outcome, in the write that ends the job. Returns when to try again, or null when done. */
  record(tables: Tables): Promise<number | null>
  /** Call once the outcome is stored. */
  onStored(): void
}

/** Delivers an event once. If it must not be delivered now, returns when it is due; null for never. */
export async function deliverEvent(
  context: DeliveryContext,
  eventId: string,
): Promise<DeliveryOutcome | number | null> {
  const found = await context.storage.read(async tables => {
    const row = await tables.events.find(eventId)
    if (!row) return null
    const settlement = await settlementHeader(tables, row.event)
    return { ...row, settlement, webhook: await tables.webhooks.find(row.event.merchantId) }
  })
  if (found?.delivery.status !== 'pending' || found.delivery.nextAttemptAt === null) return null
  const now = context.clock()
  if (isTooEarly(found.delivery.nextAttemptAt, now)) return found.delivery.nextAttemptAt
  const { event, webhook, settlement } = found
  if (webhook?.status !== 'active') return waitForWebhook(context, event, now)
  const outcome = { at: now, ...(await sendMessage(context, webhook, event, settlement)) }
  let recorded: TryOutcome | null = null
  return {
    isAccepted: outcome.outcome === 'delivered',
    durationMs: outcome.durationMs,
    async record(tables) {
      recorded = await record(context, tables, eventId, outcome)
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
  { id, merchantId }: Event,
  now: number,
): Promise<number | null> =>
  storage.write(async tables => {
    const webhook = await tables.webhooks.find(merchantId)
    if (webhook?.status === 'active') return now
    await tables.events.updateDelivery(id, { nextAttemptAt: null, updatedAt: now })
    return null
  })

async function record(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  eventId: string,
  outcome: DeliveryTry,
): Promise<TryOutcome> {
  const found = await tables.events.find(eventId)
  assert(found, 'events are never deleted')
  const { event, delivery } = found
  const tries = withTry(delivery.tries, outcome)
  const firstTriedAt = Math.min(delivery.firstTriedAt ?? outcome.at, outcome.at)
  // Earlier tries belong to a delivery before a redelivery request.
  const count = tries.filter(({ at }) => at >= firstTriedAt).length
  const change = ending(context, delivery, outcome, count, firstTriedAt)
  await tables.events.updateDelivery(eventId, { ...change, tries, firstTriedAt, updatedAt: context.clock() })
  if (outcome.outcome === 'delivered') {
    await countSuccess(context, tables, event.merchantId)
    return { ...change, isDisabled: false }
  }
  const isDisabled = await countFailure(context, tables, event.merchantId, outcome.at)
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

/** Notifies the merchant of a paid order that their shop does not know of. */
async function giveUp(
  context: Pick<Context, 'clock' | 'ids'>,
  tables: Tables,
  event: Event,
  tries: number,
): Promise<void> {
  if (event.type !== 'order.paid') return
  const { merchantId, orderId } = event
  await notifyOf(context, tables, merchantId, { about: 'event_given_up', tries }, orderId)
}

function logOutcome(
  { log }: Pick<Context, 'log'>,
  event: Event,
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
