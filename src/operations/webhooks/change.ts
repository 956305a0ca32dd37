import { Refusal, staleForm } from '../../domain/errors.ts'
import { formatTimestamp } from '../../domain/timestamp.ts'
import type { Webhook } from '../../domain/webhook.ts'
import type { Tables } from '../../storage/port.ts'
import { type AuditContext, recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { queueOf, type WebhookRef } from './steps/queue.ts'
import { releaseAll } from './steps/release.ts'
import { eventsOf, newSecret, recordChange, working } from './steps/settings.ts'

export const getWebhook = (context: Pick<Context, 'storage'>, merchantId: string): Promise<Webhook | null> =>
  context.storage.read(tables => tables.webhooks.find(merchantId))

/**
 * Sets the merchant's webhook URL. Keeps the secret and the subscriptions, reactivates a disabled webhook and
 * sends every event that was given up or waited. `created` is true the first time, when the secret is
 * returned; then the caller may also choose that no earlier event is sent.
 */
export async function changeWebhook(
  context: AuditContext & Pick<Context, 'storage' | 'outbound'>,
  merchantId: string,
  url: string,
  { isFromNow = false }: { isFromNow?: boolean } = {},
): Promise<{ webhook: Webhook; created: boolean }> {
  await context.outbound.webhook.check(url, '/url', true)
  return context.storage.write(async tables => {
    const now = context.clock()
    const known = await tables.webhooks.find(merchantId)
    const webhook: Webhook = {
      ...(known ?? { ...first(context, merchantId, now), sendsFrom: isFromNow ? now : null }),
      ...working,
      url,
      updatedAt: now,
    }
    await tables.webhooks.put(webhook)
    await recordChange(context, tables, known, webhook)
    await releaseAll(tables, webhook, now)
    return { webhook, created: known === null }
  })
}

/** Sets the events that are delivered from now on to the first webhook, or to another one. */
export async function chooseEvents(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  names: string[],
  furtherId: string | null = null,
): Promise<Webhook> {
  const ref = { merchantId, furtherId }
  return context.storage.write(async tables => {
    const known = await requireWebhook(tables, ref)
    const webhook = { ...known, events: eventsOf(known.format, names), updatedAt: context.clock() }
    await queueOf(tables, ref).put(webhook)
    await recordChange(context, tables, known, webhook)
    return webhook
  })
}

/**
 * Replaces the signing secret. Until the overlap ends, deliveries are also signed with the previous secret.
 * `isSeen` returns true if the caller knew the secret that is replaced: a request that is sent twice must not
 * drop the secret that the receiver still has.
 */
export async function rotateSecret(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  overlapMs: number,
  isSeen: (secret: string) => boolean = () => true,
  furtherId: string | null = null,
): Promise<string> {
  const secret = newSecret(context)
  const ref = { merchantId, furtherId }
  await context.storage.write(async tables => {
    const known = await requireWebhook(tables, ref)
    if (!isSeen(known.secret)) throw staleForm()
    const now = context.clock()
    const previous =
      overlapMs > 0
        ? { previousSecret: known.secret, previousSecretUntil: now + overlapMs }
        : { previousSecret: null, previousSecretUntil: null }
    await queueOf(tables, ref).put({ ...known, ...previous, secret, updatedAt: now })
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

const first = (context: Pick<Context, 'ids'>, merchantId: string, now: number) => ({
  id: context.ids.uuid(),
  merchantId,
  isFirst: true,
  format: 'florin' as const,
  keyId: null,
  mode: 'live' as const,
  events: ['order.paid' as const],
  secret: newSecret(context),
  previousSecret: null,
  previousSecretUntil: null,
  createdAt: now,
})

export async function requireWebhook(tables: Tables, ref: WebhookRef): Promise<Webhook> {
  const webhook = await queueOf(tables, ref).webhook()
  if (webhook) return webhook
  if (ref.furtherId !== null) throw new Refusal('not_found', 'No webhook has this ID.')
  const message = 'This merchant has no webhook. Set a URL first, with florin webhook set or PUT /v1/webhook.'
  throw new Refusal('not_found', message)
}
