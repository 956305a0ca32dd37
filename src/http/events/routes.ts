import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { getEvent, listEvents } from '../../operations/webhooks/read-events.ts'
import { redeliverEvent } from '../../operations/webhooks/redeliver.ts'
import { presentEvent } from '../../present/event.ts'
import { callerOf, requireKey } from '../auth.ts'
import { success } from '../envelope.ts'
import { PAGE_SIZE, parsePageToken, presentPage } from '../page-token.ts'
import * as docs from './openapi.ts'
import { EventParams, ListEvents } from './request.ts'

/** For a request that needs no body: what comes with it is not looked at. */
const unread = () => null

export const events = (context: Context) =>
  new Elysia()
    .get(
      '/v1/events',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { type, status, pageSize = PAGE_SIZE, pageToken } = query
        const filter = { merchantId, type, status }
        const page = await listEvents(context, filter, Number(pageSize), parsePageToken(pageToken))
        return success(presentPage(page, presentEvent))
      },
      { ...requireKey(context, { scope: 'api:read' }), query: ListEvents, ...docs.listEvents },
    )
    .get(
      '/v1/events/:id',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        return success(presentEvent(await getEvent(context, merchantId, params.id)))
      },
      { ...requireKey(context, { scope: 'api:read' }), params: EventParams, ...docs.getEvent },
    )
    .post(
      '/v1/events/:id/redeliver',
      async ({ params, request, set }) => {
        const { merchantId } = await callerOf(request)
        set.status = 202
        return success(presentEvent(await redeliverEvent(context, merchantId, params.id)))
      },
      {
        ...requireKey(context, { scope: 'webhooks:write' }),
        parse: unread,
        params: EventParams,
        ...docs.redeliverEvent,
      },
    )
