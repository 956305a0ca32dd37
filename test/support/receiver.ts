import { createHmac } from 'node:crypto'

export interface Received {
  /** path of the request, with the query */
  path: string
  headers: Headers
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: the tests check its shape
  json: any
}

/** A merchant's server that receives webhooks and sends the given response. */
export function startReceiver(
  answer: (message: Received) => Response | Promise<Response> = () => new Response('ok'),
  port = 0,
) {
  const received: Received[] = []
  let answering = answer
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const body = await request.text()
      const { pathname, search } = new URL(request.url)
      const message = { path: pathname + search, headers: request.headers, body, json: JSON.parse(body) }
      received.push(message)
      return answering(message)
    },
  })
  return {
    received,
    host: `127.0.0.1:${server.port}`,
    url: `http://127.0.0.1:${server.port}/hooks/florin`,
    answerWith(next: typeof answer) {
      answering = next
    },
    stop: () => server.stop(true),
  }
}

/** Verifies a signature as every receiver should. Written from the API guide, not from the server's code. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const seconds = headers.get('x-service-timestamp') ?? ''
  const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('base64url')
  return /^[0-9]{10}$/.test(seconds) && headers.get('x-service-signature') === expected
}
