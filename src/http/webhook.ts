import { Elysia } from 'elysia'
import { changeWebhook, readWebhook } from '../operations/change-webhook.ts'
import type { World } from '../operations/world.ts'
import * as docs from './docs/webhook.ts'
import { success } from './envelope.ts'
import { callerOf, keyed } from './gate.ts'
import { presentNewWebhook, presentWebhook } from './present/webhook.ts'
import { ChangeWebhook } from './shapes/webhook.ts'

export const webhook = (world: World) =>
  new Elysia()
    .get(
      '/v1/webhook',
      async ({ request }) => {
        const { merchantId } = await callerOf(request)
        return success(presentWebhook(await readWebhook(world, merchantId)))
      },
      { ...keyed(world, { scope: 'api:read' }), ...docs.readWebhook },
    )
    .put(
      '/v1/webhook',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { webhook, created } = await changeWebhook(world, merchantId, body.url)
        return success(created ? presentNewWebhook(webhook) : presentWebhook(webhook))
      },
      {
        ...keyed(world, { live: true, scope: 'webhooks:write' }),
        body: ChangeWebhook,
        ...docs.changeWebhook,
      },
    )
