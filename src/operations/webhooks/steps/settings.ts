import { randomAlphanumeric } from '../../../domain/api-key.ts'
import { invalid } from '../../../domain/errors.ts'
import {
  eventTypes,
  greenfieldTypes,
  ipnTypes,
  type MessageType,
  type Webhook,
  type WebhookFormat,
} from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import { type AuditContext, recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { authorOf } from '../../notices/author.ts'
import { notifyOf } from '../../notices/notify.ts'

const SECRET_LENGTH = 40

/** The state of a webhook whose URL was just set. */
export const working = { status: 'active', failingSince: null, failures: 0, alerts: 0 } as const

/** The events of a format with these names, in the usual order. Refuses unknown names. */
export function eventsOf(format: WebhookFormat, names: string[]): MessageType[] {
  const all: readonly MessageType[] = format === 'greenfield' ? [...greenfieldTypes, ...ipnTypes] : eventTypes
  const isKnown = names.every(name => all.includes(name as MessageType))
  if (!isKnown || names.length === 0) throw invalid('events', `must be a list of ${all.join(', ')}`)
  return all.filter(type => names.includes(type))
}

export const newSecret = ({ ids }: Pick<Context, 'ids'>): string =>
  `whsec_${randomAlphanumeric(ids.random, SECRET_LENGTH)}`

const auditFields = ({ url, events, mode, status }: Webhook) => ({
  ...{ url, events, status },
  ...(mode !== 'live' && { mode }),
})

export async function recordChange(
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
