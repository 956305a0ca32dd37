import type { PostResult } from '../../outbound/port.ts'
import type { Context } from '../context.ts'
import { requireWebhook } from './change.ts'
import { countSuccess } from './steps/count-outcome.ts'
import { type SendContext, sendMessage, testMessage } from './steps/send.ts'

/**
 * Sends a test event once, whatever the webhook is subscribed to. If the shop’s server accepts it, a disabled
 * webhook is enabled and waiting events are sent. A failure is not counted.
 */
export async function testWebhook(
  context: SendContext & Pick<Context, 'storage' | 'ids'>,
  merchantId: string,
  furtherId: string | null = null,
): Promise<PostResult> {
  const ref = { merchantId, furtherId }
  const webhook = await context.storage.read(tables => requireWebhook(tables, ref))
  const result = await sendMessage(context, webhook, testMessage(context, webhook))
  if (result.outcome === 'delivered') {
    await context.storage.write(tables => countSuccess(context, tables, ref))
  }
  return result
}
