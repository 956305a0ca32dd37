import { formatTimestamp } from '../../../domain/timestamp.ts'
import type { Context } from '../../context.ts'

/** A message that only shows if a webhook works. It is not an event, so it is never listed. */
export function testMessage(context: Pick<Context, 'clock' | 'ids'>, merchantId: string) {
  const id = context.ids.uuid()
  const type = 'webhook.test'
  const body = JSON.stringify({ id, type, createdAt: formatTimestamp(context.clock()), merchantId })
  return { id, type, body }
}
