import { createHmac } from 'node:crypto'
import { formatTimestamp } from '../../../domain/timestamp.ts'
import type { Webhook } from '../../../domain/webhook.ts'
import type { PostResult } from '../../../outbound/port.ts'
import type { Context } from '../../context.ts'

export interface Message {
  id: string
  type: string
  body: string
}

/** Unpadded base64url HMAC-SHA256 of timestamp, a dot and the exact body. */
export const sign = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')

/** The headers of a message that are equal in all tries. `extra` headers are not signed. */
export const fixedHeaders = ({ id, type }: Pick<Message, 'id' | 'type'>, extra: Record<string, string>) => ({
  'Content-Type': 'application/json',
  'X-Service-Event': type,
  'X-Service-Event-Id': id,
  ...extra,
})

export type SendContext = Pick<Context, 'outbound' | 'clock' | 'realClock'>

/**
 * Posts a signed message to a webhook once. `extra` headers are not signed. The timestamp is by the machine's
 * clock: receivers compare it with theirs, which the sandbox does not move.
 */
export function sendMessage(
  context: SendContext,
  webhook: Webhook,
  { body, ...message }: Message,
  extra: Record<string, string> = {},
): Promise<PostResult> {
  const timestamp = Math.floor(context.realClock() / 1000).toString()
  const { previousSecret, previousSecretUntil } = webhook
  const isOverlapping = previousSecret !== null && context.clock() < (previousSecretUntil ?? 0)
  const headers = {
    ...fixedHeaders(message, extra),
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': sign(webhook.secret, timestamp, body),
    ...(isOverlapping && { 'X-Service-Signature-Previous': sign(previousSecret, timestamp, body) }),
  }
  return context.outbound.webhook.post(webhook.url, headers, body)
}

/** A message that only shows if a webhook works. It is not an event, so it is never listed. */
export function testMessage(context: Pick<Context, 'clock' | 'ids'>, merchantId: string) {
  const id = context.ids.uuid()
  const type = 'webhook.test'
  const body = JSON.stringify({ id, type, createdAt: formatTimestamp(context.clock()), merchantId })
  return { id, type, body }
}
