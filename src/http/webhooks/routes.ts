import { Elysia } from 'elysia'
import { asserted } from '../../domain/errors.ts'
import { parseTimestamp } from '../../domain/timestamp.ts'
import type { Context } from '../../operations/context.ts'
import { rotateSecret } from '../../operations/webhooks/change.ts'
import {
  addWebhook,
  editWebhook,
  getWebhookById,
  listWebhooks,
  removeWebhook,
} from '../../operations/webhooks/further.ts'
import { testWebhook } from '../../operations/webhooks/send-test.ts'
import { presentAddedWebhook, presentAnyWebhook } from '../../present/webhook.ts'
import { callerOf, contextOf, requireKey } from '../auth.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { AddWebhook, EditWebhook, RotateSecret, WebhookParams } from './request.ts'

const HOUR_MS = 3600_000
const OVERLAP_HOURS = 24
const PATH = '/v1/webhooks/:endpointId'

/** The parser of a route without a request body. It ignores a body that is sent anyway. */
const ignoreBody = () => null

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : asserted(parseTimestamp(text), 'the schema has checked it')

/** The routes of all webhooks of a merchant, by their IDs. */
export const webhooks = (context: Context) =>
  new Elysia()
    .get(
      '/v1/webhooks',
      async ({ request }) => {
        const { merchantId } = await callerOf(request)
        const items = (await listWebhooks(context, merchantId)).map(presentAnyWebhook)
        return respond(docs.listWebhooks, { items })
      },
      { ...requireKey(context, docs.listWebhooks) },
    )
    .post(
      '/v1/webhooks',
      async ({ body, request, set }) => {
        const { merchantId } = await callerOf(request)
        const given = { ...body, since: timeOf(body.eventsSince) }
        const webhook = await addWebhook(await contextOf(context, request), merchantId, given)
        set.status = 201
        return respond(docs.addWebhook, presentAddedWebhook(webhook))
      },
      { ...requireKey(context, docs.addWebhook), body: AddWebhook },
    )
    .get(
      PATH,
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const webhook = await getWebhookById(context, merchantId, params.endpointId)
        return respond(docs.readWebhookById, presentAnyWebhook(webhook))
      },
      { ...requireKey(context, docs.readWebhookById), params: WebhookParams },
    )
    .patch(
      PATH,
      async ({ body, params, request }) => {
        const { merchantId } = await callerOf(request)
        const own = await contextOf(context, request)
        const webhook = await editWebhook(own, merchantId, params.endpointId, body)
        return respond(docs.editWebhook, presentAnyWebhook(webhook))
      },
      { ...requireKey(context, docs.editWebhook), params: WebhookParams, body: EditWebhook },
    )
    .delete(
      PATH,
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const webhook = await removeWebhook(await contextOf(context, request), merchantId, params.endpointId)
        return respond(docs.removeWebhook, presentAnyWebhook(webhook))
      },
      { ...requireKey(context, docs.removeWebhook), parse: ignoreBody, params: WebhookParams },
    )
    .post(
      `${PATH}/test`,
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const furtherId = await furtherIdOf(context, merchantId, params.endpointId)
        const { outcome, httpStatus, durationMs } = await testWebhook(context, merchantId, furtherId)
        return respond(docs.testWebhook, { outcome, httpStatus, durationMs })
      },
      { ...requireKey(context, docs.testWebhook), parse: ignoreBody, params: WebhookParams },
    )
    .post(
      `${PATH}/rotate`,
      async ({ body, params, request }) => {
        const { merchantId } = await callerOf(request)
        const furtherId = await furtherIdOf(context, merchantId, params.endpointId)
        const overlapMs = (body.overlapHours ?? OVERLAP_HOURS) * HOUR_MS
        const own = await contextOf(context, request)
        const signingSecret = await rotateSecret(own, merchantId, overlapMs, undefined, furtherId)
        return respond(docs.rotateWebhook, { signingSecret })
      },
      { ...requireKey(context, docs.rotateWebhook), params: WebhookParams, body: RotateSecret },
    )

/** The ID of a webhook as operations expect it: null for the first one. */
async function furtherIdOf(context: Context, merchantId: string, id: string): Promise<string | null> {
  const { isFirst } = await getWebhookById(context, merchantId, id)
  return isFirst ? null : id
}
