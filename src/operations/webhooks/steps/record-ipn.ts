import { legacyStateOf } from '../../../domain/greenfield.ts'
import type { Order } from '../../../domain/order.ts'
import { type GreenfieldType, isForIpn, isIpnType, type Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'
import type { Context } from '../../context.ts'
import { deliverTo } from './further.ts'

/** The metadata field that has the URL to which an invoice's notifications are sent. */
export const NOTIFICATION_URL = 'notificationURL'

/** The metadata field that is true if notifications have the invoice below `data`, beside an event. */
export const EXTENDED = 'extendedNotifications'

/** The origin of a URL; null if the value is not a URL. */
const originOf = (url: unknown): string | null =>
  URL.canParse(String(url)) ? new URL(String(url)).origin : null

/**
 * The webhook for the notifications of a URL. A plugin may name another URL for each invoice, so one webhook
 * serves all URLs of its origin.
 */
export function ipnWebhookFor(webhooks: readonly Webhook[], url: unknown): Webhook | undefined {
  const origin = originOf(url)
  if (origin === null) return undefined
  return webhooks.find(webhook => isForIpn(webhook) && originOf(webhook.url) === origin)
}

/**
 * The URL to which a webhook's notification is sent: that of the invoice, or the webhook's own after a person
 * has moved the webhook to another origin.
 */
export const ipnTarget = (webhook: Webhook, url: unknown): string =>
  ipnWebhookFor([webhook], url) ? String(url) : webhook.url

const hasIpn: readonly GreenfieldType[] = [
  'InvoiceProcessing',
  'InvoiceSettled',
  'InvoiceExpired',
  'InvoiceInvalid',
]

interface Change {
  /** what happened to the invoice */
  type: GreenfieldType
  webhooks: readonly Webhook[]
}

/** Records a notification for the URL that a plugin named when it created the invoice. */
export async function recordIpn(
  context: Pick<Context, 'ids' | 'clock'>,
  tables: Tables,
  order: Order,
  { type: of, webhooks }: Change,
): Promise<void> {
  if (!hasIpn.includes(of) || !webhooks.some(isForIpn)) return
  const { id: orderId, merchantId, metadata } = order
  const url = metadata[NOTIFICATION_URL]
  const webhook = ipnWebhookFor(webhooks, url)
  const state = legacyStateOf(order)
  const type = `ipn.${state.status}`
  if (!webhook || !isIpnType(type)) return
  const { amount, currency, externalId } = order
  const data = {
    id: orderId,
    ...state,
    price: Number(amount),
    currency,
    orderId: metadata.orderId ?? externalId,
    posData: metadata.posData ?? null,
  }
  const body = JSON.stringify({ url, isExtended: metadata[EXTENDED] === true, data })
  const event = { id: context.ids.uuid(), merchantId, orderId, type, body, createdAt: context.clock() }
  await tables.furtherDeliveries.insertEvent(event)
  await deliverTo(context, tables, webhook, event, 'first')
}
