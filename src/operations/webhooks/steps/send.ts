import { createHmac } from 'node:crypto'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import { isForIpn, type Webhook } from '../../../domain/webhook.ts'
import type { PostResult } from '../../../outbound/port.ts'
import type { Context } from '../../context.ts'
import { ipnTarget } from './record-ipn.ts'

export interface Message {
  id: string
  type: string
  body: string
  deliveryId: string
  /** true if the message was sent before */
  isRepeated: boolean
}

/** Signs a message: unpadded base64url HMAC-SHA256 of the timestamp, a dot and the exact body. */
export const sign = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')

/** The headers of a message that are the same in all tries. `extra` headers are not signed. */
export const fixedHeaders = ({ id, type }: Pick<Message, 'id' | 'type'>, extra: Record<string, string>) => ({
  'Content-Type': 'application/json',
  'X-Service-Event': type,
  'X-Service-Event-Id': id,
  ...extra,
})

export type SendContext = Pick<Context, 'outbound' | 'clock' | 'realClock'>

/**
 * Posts a signed message to a webhook once. `extra` headers are not signed. The timestamp is from the system
 * clock: receivers compare it with theirs, which the sandbox does not move.
 */
export async function sendMessage(
  context: SendContext,
  webhook: Webhook,
  message: Message,
  extra: Record<string, string> = {},
): Promise<PostResult> {
  const post = (url: string, headers: Record<string, string>, body: string) =>
    context.outbound.webhook.post(url, headers, body)
  if (webhook.format !== 'greenfield') {
    return post(webhook.url, ownHeaders(context, webhook, message, extra), message.body)
  }
  const { url, headers, body } = (isForIpn(webhook) ? ipnRequest : greenfieldRequest)(webhook, message)
  const result = await post(url, headers, body)
  // BTCPay Server accepts every status of success, so plugins may answer with 204.
  const isSuccess = result.outcome === 'refused' && Math.floor((result.httpStatus ?? 0) / 100) === 2
  return isSuccess ? { ...result, outcome: 'delivered' } : result
}

function ownHeaders(
  context: SendContext,
  webhook: Webhook,
  { body, ...message }: Message,
  extra: Record<string, string>,
): Record<string, string> {
  const timestamp = Math.floor(context.realClock() / 1000).toString()
  const { previousSecret, previousSecretUntil } = webhook
  const isOverlapping = previousSecret !== null && context.clock() < (previousSecretUntil ?? 0)
  return {
    ...fixedHeaders(message, extra),
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': sign(webhook.secret, timestamp, body),
    ...(isOverlapping && { 'X-Service-Signature-Previous': sign(previousSecret, timestamp, body) }),
  }
}

/**
 * A request in the format of BTCPay Server. Its signature has no timestamp, and only the current secret
 * signs, so a rotated secret replaces the former one at once.
 */
function greenfieldRequest({ id, url, secret }: Webhook, { body: facts, deliveryId, isRepeated }: Message) {
  const delivery = { deliveryId, webhookId: id, originalDeliveryId: deliveryId, isRedelivery: isRepeated }
  const body = JSON.stringify({ ...delivery, ...(JSON.parse(facts) as object) })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return { url, headers: { 'Content-Type': 'application/json', 'BTCPay-Sig': `sha256=${signature}` }, body }
}

/** A notification of BTCPay Server's older API. It is not signed: its receivers read the invoice. */
function ipnRequest(webhook: Webhook, { type, body }: Message) {
  const { url, isExtended, data } = JSON.parse(body) as { url: string; isExtended: boolean; data: object }
  const event = { name: type.replace('ipn.', 'invoice_') }
  return {
    url: ipnTarget(webhook, url),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(isExtended ? { event, data } : data),
  }
}

/** A message that only tests a webhook. It is not an event, so it is never listed. */
export function testMessage(context: Pick<Context, 'clock' | 'ids'>, webhook: Webhook): Message {
  const { merchantId, format } = webhook
  const id = context.ids.uuid()
  const now = context.clock()
  const rest = { id, deliveryId: id, isRepeated: false }
  // The name that BTCPay Server gives to the invoice of a test. No shop has an order with this ID.
  const invoiceId = `__test__${id}__test__`
  if (isForIpn(webhook)) {
    const data = { id: invoiceId, status: 'new', exceptionStatus: false, orderId: null, posData: null }
    return { ...rest, type: 'ipn.new', body: JSON.stringify({ url: webhook.url, isExtended: false, data }) }
  }
  if (format === 'greenfield') {
    const invoice = { storeId: merchantId, invoiceId, metadata: {} }
    const facts = { type: 'InvoiceCreated', timestamp: Math.floor(now / 1000), ...invoice }
    return { ...rest, type: 'InvoiceCreated', body: JSON.stringify(facts) }
  }
  const type = 'webhook.test'
  return { ...rest, type, body: JSON.stringify({ id, type, createdAt: formatTimestamp(now), merchantId }) }
}
