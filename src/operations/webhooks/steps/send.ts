import { createHmac } from 'node:crypto'
import type { Webhook } from '../../../domain/webhook.ts'
import type { PostResult } from '../../../outbound/port.ts'
import type { Context } from '../../context.ts'

interface Message {
  id: string
  type: string
  body: string
}

/** Unpadded base64url HMAC-SHA256 of timestamp, a dot and the exact body (spec 6.1). */
const sign = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('base64url')

/** Posts a signed message to a webhook once. `extra` headers are not signed. */
export function sendMessage(
  context: Pick<Context, 'outbound' | 'clock'>,
  webhook: Webhook,
  { id, type, body }: Message,
  extra: Record<string, string> = {},
): Promise<PostResult> {
  const now = context.clock()
  const timestamp = Math.floor(now / 1000).toString()
  const { previousSecret, previousSecretUntil } = webhook
  const isOverlapping = previousSecret !== null && now < (previousSecretUntil ?? 0)
  const headers = {
    'Content-Type': 'application/json',
    'X-Service-Event': type,
    'X-Service-Event-Id': id,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': sign(webhook.secret, timestamp, body),
    ...(isOverlapping && { 'X-Service-Signature-Previous': sign(previousSecret, timestamp, body) }),
    ...extra,
  }
  return context.outbound.post(webhook.url, headers, body)
}
