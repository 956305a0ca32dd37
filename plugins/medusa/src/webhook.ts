import type { FlorinEvent } from './florin/api.ts'
import { verifyWebhook } from './florin/client.ts'

interface Delivery {
  /** body as it arrived, not parsed */
  rawData: string | Uint8Array
  headers: Record<string, unknown>
}

/** The event of a delivery; null if Florin did not sign it, or signed it more than five minutes ago. */
export function eventOf(
  { rawData, headers }: Delivery,
  secret: string,
  now = Date.now(),
): Promise<FlorinEvent | null> {
  const body = typeof rawData === 'string' ? rawData : new TextDecoder().decode(rawData)
  return verifyWebhook(headers as Record<string, string | string[] | undefined>, body, secret, now)
}
