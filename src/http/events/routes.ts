import { Elysia } from 'elysia'
import type { World } from '../../operations/context.ts'
import { listEvents, readEvent } from '../../operations/webhooks/read-events.ts'
import { redeliverEvent } from '../../operations/webhooks/redeliver.ts'
import { presentEvent } from '../../present/event.ts'
import { callerOf, keyed } from '../auth.ts'
import { success } from '../envelope.ts'
import { PAGE_SIZE, presentPage, readPageToken } from '../page-token.ts'
import * as docs from './openapi.ts'
import { EventParams, ListEvents } from './request.ts'

/** For a request that needs no body: what comes with it is not looked at. */
const unread = () => null

export const events = (world: World) =>
  new Elysia()
    .get(
      '/v1/events',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { type, status, pageSize = PAGE_SIZE, pageToken } = query
        const filter = { merchantId, type, status }
        const page = await listEvents(world, filter, Number(pageSize), readPageToken(pageToken))
        return success(presentPage(page, presentEvent))
      },
      { ...keyed(world, { scope: 'api:read' }), query: ListEvents, ...docs.listEvents },
    )
    .get(
      '/v1/events/:id',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        return success(presentEvent(await readEvent(world, merchantId, params.id)))
      },
      { ...keyed(world, { scope: 'api:read' }), params: EventParams, ...docs.readEvent },
    )
    .post(
      '/v1/events/:id/redeliver',
      async ({ params, request, set }) => {
        const { merchantId } = await callerOf(request)
        set.status = 202
        return success(presentEvent(await redeliverEvent(world, merchantId, params.id)))
      },
      {
        ...keyed(world, { scope: 'webhooks:write' }),
        parse: unread,
        params: EventParams,
        ...docs.redeliverEvent,
      },
    )
