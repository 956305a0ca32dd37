import { Refusal } from '../../../domain/errors.ts'
import type { Webhook } from '../../../domain/webhook.ts'
import type { Tables } from '../../../storage/port.ts'

export async function requireWebhook(tables: Tables, merchantId: string): Promise<Webhook> {
  const webhook = await tables.webhooks.find(merchantId)
  if (webhook) return webhook
  const message = 'This merchant has no webhook. Set a URL first, with florin webhook set or PUT /v1/webhook.'
  throw new Refusal('not_found', message)
}
