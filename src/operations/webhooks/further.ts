import { invalid, Refusal } from '../../domain/errors.ts'
import { testShopOf } from '../../domain/test-shop.ts'
import {
  FURTHER_WEBHOOKS_MAX,
  type MessageWithDelivery,
  takesEventsOf,
  type Webhook,
  type WebhookFormat,
  type WebhookMode,
} from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { deliverTo } from './steps/further.ts'
import { queueOf, refOf } from './steps/queue.ts'
import { releaseAll, releaseParked } from './steps/release.ts'
import { eventsOf, newSecret, recordChange, working } from './steps/settings.ts'

type ChangeContext = AuditContext & Pick<Context, 'storage' | 'outbound'>

/** Max earlier events that a new webhook can get. */
const EARLIER_MAX = 500

/** All webhooks of a merchant: the first one, if it is set, then the further ones by age. */
export const listWebhooks = ({ storage }: Pick<Context, 'storage'>, merchantId: string): Promise<Webhook[]> =>
  storage.read(tables => tables.webhooks.listOf(merchantId))

/** Returns a webhook of this merchant, the first or another one. Throws not_found for any other ID. */
export const getWebhookById = (
  { storage }: Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<Webhook> => storage.read(tables => requireById(tables, merchantId, id))

async function requireById(tables: Tables, merchantId: string, id: string): Promise<Webhook> {
  const found = (await tables.webhooks.listOf(merchantId)).find(webhook => webhook.id === id)
  if (found) return found
  throw new Refusal('not_found', 'No webhook has this ID.')
}

interface NewWebhook {
  url: string
  /** `order.paid` by default */
  events?: string[] | undefined
  format?: WebhookFormat | undefined
  /** `live` by default: a receiver that knows no test orders would take them for real ones */
  mode?: WebhookMode | undefined
  /** by default, a secret that Florin makes */
  secret?: string | undefined
  keyId?: string | null | undefined
  /** also sends subscribed events that happened since this time; by default no earlier events are sent */
  since?: number | undefined
}

/** Adds a webhook beside the first one. Its secret is returned only here. */
export async function addWebhook(
  context: ChangeContext,
  merchantId: string,
  { url, events = ['order.paid'], format = 'florin', mode = 'live', secret, keyId = null, since }: NewWebhook,
): Promise<Webhook> {
  await context.outbound.webhook.check(url, '/url', true)
  const now = context.clock()
  const webhook: Webhook = {
    ...working,
    sendsFrom: null,
    id: context.ids.uuid(),
    merchantId,
    isFirst: false,
    format,
    keyId,
    url,
    events: eventsOf(format, events),
    mode,
    secret: secret ?? newSecret(context),
    previousSecret: null,
    previousSecretUntil: null,
    createdAt: now,
    updatedAt: now,
  }
  return context.storage.write(async tables => {
    const known = await tables.furtherWebhooks.find(merchantId)
    checkRoom(known)
    await tables.furtherWebhooks.put(webhook)
    await recordChange(context, tables, null, webhook)
    if (since !== undefined) await sendEarlier(context, tables, webhook, since)
    return webhook
  })
}

/** Refuses another webhook if a merchant has as many others as are allowed. */
export function checkRoom({ length }: readonly Webhook[]): void {
  if (length < FURTHER_WEBHOOKS_MAX) return
  throw new Refusal(
    'conflict',
    `A merchant can have ${FURTHER_WEBHOOKS_MAX} other webhooks. Delete one first.`,
  )
}

/** Delivers subscribed events that happened before a webhook existed. */
async function sendEarlier(
  context: ChangeContext,
  tables: Tables,
  webhook: Webhook,
  createdFrom: number,
): Promise<void> {
  const { merchantId, events: types } = webhook
  const owners = [merchantId, testShopOf(merchantId)].filter(owner => takesEventsOf(webhook, owner))
  const lists = owners.map(owner => ({ merchantId: owner, createdFrom }))
  const found = (
    await Promise.all(lists.map(filter => tables.events.list(filter, EARLIER_MAX + 1, null)))
  ).flat()
  if (found.length > EARLIER_MAX) {
    throw invalid('/eventsSince', `must be later: more than ${EARLIER_MAX} events have happened since then`)
  }
  for (const { event } of found.toReversed()) {
    if (types.includes(event.type)) await deliverTo(context, tables, webhook, event, 'repeated')
  }
}

const FIRST_IS_LIVE =
  'must be live for the webhook that PUT /v1/webhook sets; add another one for test orders'

interface WebhookChange {
  url?: string | undefined
  mode?: WebhookMode | undefined
  events?: string[] | undefined
  secret?: string | undefined
}

/** Changes a webhook. A new URL reactivates it and sends waiting events, as PUT /v1/webhook does. */
export async function editWebhook(
  context: ChangeContext,
  merchantId: string,
  id: string,
  { url, events, mode, secret }: WebhookChange,
): Promise<Webhook> {
  if (url !== undefined) await context.outbound.webhook.check(url, '/url', true)
  return context.storage.write(async tables => {
    const now = context.clock()
    const known = await requireById(tables, merchantId, id)
    if (known.isFirst && mode !== undefined && mode !== 'live') throw invalid('/mode', FIRST_IS_LIVE)
    const webhook: Webhook = {
      ...known,
      ...(events && { events: eventsOf(known.format, events) }),
      ...(mode && { mode }),
      ...(url !== undefined && { ...working, url }),
      ...(secret !== undefined && { secret }),
      updatedAt: now,
    }
    await queueOf(tables, refOf(webhook)).put(webhook)
    await recordChange(context, tables, known, webhook)
    if (url !== undefined) await releaseAll(tables, webhook, now)
    return webhook
  })
}

/** Deletes a webhook that is not the first one, with its deliveries. Waiting events are never sent. */
export async function removeWebhook(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  id: string,
): Promise<Webhook> {
  return context.storage.write(async tables => {
    const webhook = await requireById(tables, merchantId, id)
    if (webhook.isFirst) {
      throw new Refusal(
        'conflict',
        'The first webhook cannot be deleted. Change its URL with PUT /v1/webhook.',
      )
    }
    await removeFurther(context, tables, webhook)
    return webhook
  })
}

async function removeFurther(context: AuditContext, tables: Tables, webhook: Webhook): Promise<void> {
  const { id, merchantId, url, events, status } = webhook
  await tables.furtherWebhooks.remove(id)
  const before = { url, events, status }
  await recordAudit(context, tables, {
    merchantId,
    action: 'webhook.changed',
    subject: `webhook:${id}`,
    before,
    after: null,
  })
}

/** The newest deliveries to a webhook that is not the first one. */
export const listDeliveries = (
  { storage }: Pick<Context, 'storage'>,
  webhookId: string,
  limit: number,
): Promise<MessageWithDelivery[]> => storage.read(tables => tables.furtherDeliveries.list(webhookId, limit))

/** Sends the events that were given up or wait for a webhook except the first one. Returns their number. */
export const redeliverToFurther = (
  { storage, clock }: Pick<Context, 'storage' | 'clock'>,
  merchantId: string,
  id: string,
): Promise<number> =>
  storage.write(async tables => {
    const webhook = await requireById(tables, merchantId, id)
    if (webhook.status === 'active') return releaseParked(tables, webhook, clock())
    throw new Refusal('conflict', 'There is no active webhook. Set its URL first.', {
      reason: { kind: 'no_webhook' },
    })
  })
