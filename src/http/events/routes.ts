import { Elysia } from 'elysia'
import type { Context } from '../../operations/context.ts'
import { getEvent, listEvents } from '../../operations/webhooks/read-events.ts'
import { redeliverEvent } from '../../operations/webhooks/redeliver.ts'
import { presentEvent } from '../../present/event.ts'
import { callerOf, requireKey } from '../auth.ts'
import { inEither, shopIn } from '../livemode.ts'
import { PAGE_SIZE, parsePageToken, presentPage } from '../page-token.ts'
import { respond } from '../respond.ts'
import * as docs from './openapi.ts'
import { EventParams, ListEvents, StreamHeaders, StreamQuery } from './request.ts'
import { eventStreams } from './stream.ts'

/** The parser of a route without a request body. It ignores a body that is sent anyway. */
const ignoreBody = () => null

export function events(context: Context) {
  const openStream = eventStreams(context)
  return new Elysia()
    .get(
      '/v1/events',
      async ({ query, request }) => {
        const { merchantId } = await callerOf(request)
        const { type, status, livemode, pageSize = PAGE_SIZE, pageToken } = query
        const filter = { merchantId: shopIn(merchantId, livemode), type, status }
        const page = await listEvents(context, filter, Number(pageSize), parsePageToken(pageToken))
        return respond(docs.listEvents, presentPage(page, presentEvent))
      },
      { ...requireKey(context, docs.listEvents), query: ListEvents },
    )
    .get(
      '/v1/events/stream',
      async ({ headers, query, request }) => {
        const { merchantId } = await callerOf(request)
        return openStream(shopIn(merchantId, query.livemode), headers['last-event-id'] ?? null)
      },
      // The OpenAPI document describes only JSON, so this stream is left out.
      {
        ...requireKey(context, docs.listEvents),
        detail: { hide: true },
        headers: StreamHeaders,
        query: StreamQuery,
      },
    )
    .get(
      '/v1/events/:id',
      async ({ params, request }) => {
        const { merchantId } = await callerOf(request)
        const found = await inEither(merchantId, shop => getEvent(context, shop, params.id))
        return respond(docs.getEvent, presentEvent(found))
      },
      { ...requireKey(context, docs.getEvent), params: EventParams },
    )
    .post(
      '/v1/events/:id/redeliver',
      async ({ params, request, set }) => {
        const { merchantId } = await callerOf(request)
        const queued = await inEither(merchantId, shop => redeliverEvent(context, shop, params.id))
        set.status = 202
        return respond(docs.redeliverEvent, presentEvent(queued))
      },
      {
        ...requireKey(context, docs.redeliverEvent),
        parse: ignoreBody,
        params: EventParams,
      },
    )
}
