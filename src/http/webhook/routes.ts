import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { changeWebhook, getWebhook } from '../../operations/webhooks/change.ts'
import { presentNewWebhook, presentWebhook } from '../../present/webhook.ts'
import { callerOf, contextOf, requireKey } from '../auth.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { ChangeWebhook } from './request.ts'

export const webhook = (context: Context) =>
  new Elysia()
    .get(
      '/v1/webhook',
      async ({ request }) => {
        const { merchantId } = await callerOf(request)
        return respond(docs.getWebhook, presentWebhook(await getWebhook(context, merchantId)))
      },
      { ...requireKey(context, docs.getWebhook) },
    )
    .put(
      '/v1/webhook',
      async ({ body, request }) => {
        const { merchantId } = await callerOf(request)
        const { webhook, created } = await changeWebhook(
          await contextOf(context, request),
          merchantId,
          body.url,
        )
        return respond(docs.changeWebhook, created ? presentNewWebhook(webhook) : presentWebhook(webhook))
      },
      {
        ...requireKey(context, docs.changeWebhook),
        body: ChangeWebhook,
      },
    )
