import { Elysia } from 'elysia'
import type { Context } from '../operations/context.ts'
import { receiveCallback, requireCallbackProvider } from '../operations/payments/receive-callback.ts'
import { readBytes } from './body.ts'

const BODY_MAX = 64 * 1024

interface CallbackRequest {
  params: { provider: string }
  request: Request
}

/**
 * The routes for callbacks of providers. Signatures cover the exact query or body, so neither is parsed here.
 */
export const callback = (context: Context) => {
  const receive = async ({ params, request }: CallbackRequest): Promise<Response> => {
    const { method, headers, url } = request
    const provider = requireCallbackProvider(context, params.provider, method)
    const query = url.split('?').slice(1).join('?')
    const body = await readBytes(request, BODY_MAX)
    const acknowledgement = await receiveCallback(context, provider, { method, query, headers, body })
    return new Response(acknowledgement, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
  }
  return new Elysia()
    .get('/callback/:provider', receive)
    .post('/callback/:provider', receive, { parse: 'none' })
}
