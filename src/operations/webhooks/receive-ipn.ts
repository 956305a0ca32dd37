import type { Caller } from '../../domain/api-key.ts'
import { ipnTypes } from '../../domain/webhook.ts'
import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { checkAccess } from '../keys/authenticate.ts'
import { addWebhook, checkRoom, listWebhooks } from './further.ts'
import { ipnWebhookFor } from './steps/record-ipn.ts'

const nothing = async (): Promise<void> => {}

/**
 * Returns what makes the webhook for the notifications of a URL that a plugin names in an invoice, unless the
 * shop has it. Throws if the plugin's key may not make it, or if the URL is refused, so that the invoice is
 * not created then.
 */
export async function prepareIpnWebhook(
  context: AuditContext & Pick<Context, 'storage' | 'outbound'>,
  caller: Caller,
  url: string,
): Promise<() => Promise<unknown>> {
  const { merchantId, keyId } = caller
  const webhooks = await listWebhooks(context, merchantId)
  if (ipnWebhookFor(webhooks, url)) return nothing
  checkAccess(caller, { scope: 'webhooks:write' })
  checkRoom(webhooks.filter(({ isFirst }) => !isFirst))
  await context.outbound.webhook.check(url, '/notificationURL', true)
  return () => addWebhook(context, merchantId, { url, keyId, format: 'greenfield', events: [...ipnTypes] })
}
