import * as client from './client/index.js'
import { visit } from './shop.mjs'

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/shop') return Response.json(await visit(client, await request.json()))
    const secret = new URL(request.url).searchParams.get('secret')
    const event = await client.verifyWebhook(request.headers, await request.text(), secret)
    return new Response(event?.type ?? 'refused', { status: event === null ? 400 : 200 })
  },
}
