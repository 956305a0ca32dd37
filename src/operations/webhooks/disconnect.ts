import type { AuditContext } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { revokeKey } from '../keys/manage.ts'
import { removeWebhook } from './further.ts'

/** Revokes the key of a connected website, and deletes the webhooks that were made with it. */
export async function disconnectApp(
  context: AuditContext & Pick<Context, 'storage'>,
  merchantId: string,
  keyId: string,
): Promise<void> {
  await revokeKey(context, merchantId, keyId)
  const further = await context.storage.read(tables => tables.furtherWebhooks.find(merchantId))
  for (const { id } of further.filter(webhook => webhook.keyId === keyId)) {
    await removeWebhook(context, merchantId, id)
  }
}
