import { Elysia } from 'elysia'
import { Refusal } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import { receiveCallback } from '../operations/payments/receive-callback.ts'

/** Where providers call back. What is signed is the raw query, so it is handed on as it came. */
export const callback = (context: Context) =>
  new Elysia().get('/callback/:provider', async ({ params, request, set }) => {
    if (request.method === 'HEAD') throw new Refusal('not_found')
    const rawQuery = request.url.split('?').slice(1).join('?')
    const query = new URLSearchParams(rawQuery)
    const acknowledgement = await receiveCallback(
      context,
      params.provider,
      query.get('attempt') ?? '',
      query.get('secret') ?? '',
      { rawQuery, header: name => request.headers.get(name) },
    )
    set.headers['content-type'] = 'text/plain; charset=utf-8'
    return acknowledgement
  })
