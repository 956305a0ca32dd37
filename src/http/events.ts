import { Elysia } from 'elysia'
import { listEvents, readEvent } from '../operations/read-events.ts'
import { redeliverEvent } from '../operations/redeliver-event.ts'
import type { World } from '../operations/world.ts'
import * as docs from './docs/events.ts'
import { success } from './envelope.ts'
import { callerOf, keyed } from './gate.ts'
import { PAGE_SIZE, presentPage, readPageToken } from './page-token.ts'
import { presentEvent } from './present/event.ts'
import { EventParams, ListEvents } from './shapes/events.ts'

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
