import { nextAlertAt, PROBE_EVERY_MS, shouldDisable, type Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { notifyOf } from '../../notices/notify.ts'
import { queueOf, refOf, type WebhookRef } from './queue.ts'
import { releaseAll, releaseParked } from './release.ts'

type CountContext = Pick<Context, 'clock' | 'ids'>

/** Marks a webhook as working, and sends events that were given up or waited for it. */
export async function countSuccess(context: CountContext, tables: Tables, ref: WebhookRef): Promise<void> {
  const queue = queueOf(tables, ref)
  const webhook = await queue.webhook()
  if (!webhook) return
  const now = context.clock()
  const { failingSince } = webhook
  const working: Webhook = { ...webhook, status: 'active', failingSince: null, failures: 0, alerts: 0 }
  if (failingSince !== null || webhook.status === 'disabled') {
    const updatedAt = webhook.status === 'disabled' ? now : webhook.updatedAt
    await queue.put({ ...working, updatedAt })
    if (webhook.alerts > 0 || webhook.status === 'disabled') await notifyOfSuccess(context, tables, webhook)
  }
  if (failingSince === null) await releaseParked(tables, working, now)
  else await releaseAll(tables, working, now, failingSince)
}

/** Notifies the merchant that the webhook works, if they were notified of its failures. */
async function notifyOfSuccess(context: CountContext, tables: Tables, webhook: Webhook): Promise<void> {
  const facts = { about: 'webhook_works', host: hostOf(webhook) } as const
  await notifyOf(context, tables, webhook.merchantId, facts)
}

/** Counts a failure. Returns true if it disabled the webhook. */
export async function countFailure(
  context: CountContext,
  tables: Tables,
  ref: WebhookRef,
  at: number,
): Promise<boolean> {
  const queue = queueOf(tables, ref)
  const webhook = await queue.webhook()
  if (!webhook) return false
  const now = context.clock()
  // The clock may have been ahead when the first failure was recorded, so an earlier time replaces it.
  const failingSince = Math.min(webhook.failingSince ?? at, at)
  const failing = { ...webhook, failingSince, failures: webhook.failures + 1 }
  const isDisabled = webhook.status === 'active' && shouldDisable(failing, now)
  await queue.put(isDisabled ? { ...failing, status: 'disabled', updatedAt: now } : failing)
  if (webhook.failingSince !== failingSince) await scheduleWatch(tables, failing)
  if (!isDisabled) return false
  await scheduleWatch(tables, { ...failing, status: 'disabled' }, now + PROBE_EVERY_MS)
  await notifyOf(context, tables, ref.merchantId, { about: 'webhook_disabled', host: hostOf(webhook) })
  return true
}

export const hostOf = ({ url }: Webhook): string => new URL(url).host

/** Schedules the next notification about a failing webhook, or the next probe of a disabled one. */
async function scheduleWatch(tables: Tables, webhook: Webhook, dueAt = nextAlertAt(webhook)): Promise<void> {
  if (dueAt === null) return
  await tables.jobs.schedule({ ...queueOf(tables, refOf(webhook)).watch, dueAt })
}
