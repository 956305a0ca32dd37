import { Elysia } from 'elysia'
import type { World } from '../../operations/context.ts'
import { changeWebhook, readWebhook } from '../../operations/webhooks/change.ts'
import { presentNewWebhook, presentWebhook } from '../../present/webhook.ts'
import { callerOf, keyed } from '../auth.ts'
import { success } from '../envelope.ts'
import * as docs from './openapi.ts'
import { ChangeWebhook } from './request.ts'

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
