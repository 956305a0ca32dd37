import { randomAlphanumeric } from '../../domain/api-key.ts'
import { invalid, Refusal, staleForm } from '../../domain/errors.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import { type EventType, eventTypes, type Webhook } from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { authorOf } from '../notices/author.ts'
import { notifyOf } from '../notices/notify.ts'
import { releaseAll } from './steps/release.ts'

const SECRET_LENGTH = 40

export const getWebhook = (context: Pick<Context, 'storage'>, merchantId: string): Promise<Webhook | null> =>
  context.storage.read(tables => tables.webhooks.find(merchantId))

/**
 * Sets the merchant's webhook URL. Keeps the secret and the subscriptions, reactivates a disabled webhook and
 * sends every event that was given up or waited. `created` is true the first time, when the secret is
 * returned.
 */
export async function changeWebhook(
  context: AuditContext & Pick<Context, 'storage' | 'outbound'>,
  merchantId: string,
  url: string,
): Promise<{ webhook: Webhook; created: boolean }> {
  await context.outbound.webhook.check(url, '/url', true)
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
    await recordChange(context, tables, known, webhook)
    await releaseAll(tables, webhook, now)
    return { webhook, created: known === null }
  })
}

/** Sets the events that are delivered from now on. */
export async function chooseEvents(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  names: string[],
): Promise<Webhook> {
  const unknown = names.find(name => !eventTypes.includes(name as EventType))
  if (unknown !== undefined || names.length === 0) {
    throw invalid('events', `must be a list of ${eventTypes.join(', ')}`)
  }
  return context.storage.write(async tables => {
    const known = await requireWebhook(tables, merchantId)
    const events = eventTypes.filter(type => names.includes(type))
    const webhook = { ...known, events, updatedAt: context.clock() }
    await tables.webhooks.put(webhook)
    await recordChange(context, tables, known, webhook)
    return webhook
  })
}

/**
 * Replaces the signing secret. Until the overlap ends, deliveries are also signed with the previous secret.
 * `isSeen` says if the caller knew the replaced secret: a request that is sent twice must not drop the secret
 * that the receiver still has.
 */
export async function rotateSecret(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  overlapMs: number,
  isSeen: (secret: string) => boolean = () => true,
): Promise<string> {
  const secret = newSecret(context)
  await context.storage.write(async tables => {
    const known = await requireWebhook(tables, merchantId)
    if (!isSeen(known.secret)) throw staleForm()
    const now = context.clock()
    const previous =
      overlapMs > 0
        ? { previousSecret: known.secret, previousSecretUntil: now + overlapMs }
        : { previousSecret: null, previousSecretUntil: null }
    await tables.webhooks.put({ ...known, ...previous, secret, updatedAt: now })
    await recordAudit(context, tables, {
      merchantId,
      action: 'webhook.secret_rotated',
      subject: `webhook:${known.id}`,
      before: { secretRotatedAt: null },
      after: { secretRotatedAt: formatTimestamp(now) },
    })
  })
  return secret
}

const newSecret = ({ ids }: Pick<Context, 'ids'>): string =>
  `whsec_${randomAlphanumeric(ids.random, SECRET_LENGTH)}`

const auditFields = ({ url, events, status }: Webhook) => ({ url, events, status })

async function recordChange(
  context: AuditContext,
  tables: Tables,
  known: Webhook | null,
  webhook: Webhook,
): Promise<void> {
  const { merchantId, id, url, events } = webhook
  const isChanged = await recordAudit(context, tables, {
    merchantId,
    action: 'webhook.changed',
    subject: `webhook:${id}`,
    before: known && auditFields(known),
    after: auditFields(webhook),
  })
  if (!isChanged) return
  const formerUrl = known && known.url !== url ? known.url : null
  const author = await authorOf(context, tables)
  await notifyOf(context, tables, merchantId, { about: 'webhook_changed', ...author, events, url, formerUrl })
}

const first = (context: Pick<Context, 'ids'>, merchantId: string, now: number) => ({
  id: context.ids.uuid(),
  merchantId,
  events: ['order.paid' as const],
  secret: newSecret(context),
  previousSecret: null,
  previousSecretUntil: null,
  createdAt: now,
})

export async function requireWebhook(tables: Tables, merchantId: string): Promise<Webhook> {
  const webhook = await tables.webhooks.find(merchantId)
  if (webhook) return webhook
  const message = 'This merchant has no webhook. Set a URL first, with florin webhook set or PUT /v1/webhook.'
  throw new Refusal('not_found', message)
}
