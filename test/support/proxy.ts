import { type Call, callsIn, replacing } from './calls.ts'

/** Gets the path and body of a request, and may pass it on to the server behind the proxy. */
export type Answer = (
  path: string,
  body: string,
  pass: (body?: string) => Promise<Response>,
) => Promise<Response>

export const honest: Answer = (_path, _body, pass) => pass()

/** A proxy in front of a server. Tests can replace its answers. */
export function startProxy(target: string) {
  const proxy = { answer: honest, paths: [] as string[] }
  const { origin, username, password } = new URL(target)
  const headers = {
    'content-type': 'application/json',
    ...(username && { authorization: `Basic ${btoa(`${username}:${password}`)}` }),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const body = await request.text()
      proxy.paths.push(pathname)
      const pass = (sent = body) =>
        fetch(origin + pathname + search, {
          method: request.method,
          headers,
          ...(request.method === 'POST' && { body: sent }),
        })
      return proxy.answer(pathname, body, pass)
    },
  })
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${server.port}`,
    host: `127.0.0.1:${server.port}`,
    stop: () => server.stop(true),
  })
}

export type ProxyServer = ReturnType<typeof startProxy>

/** Changes JSON-RPC calls and their results on the way. undefined leaves them unchanged. */
export const changingCalls =
  (change: {
    params?: (call: Call) => unknown[] | undefined
    result?: (call: Call, result: unknown) => unknown
  }): Answer =>
  async (_path, body, pass) => {
    const calls = callsIn(body).map(call => ({ ...call, params: change.params?.(call) ?? call.params }))
    const sent = JSON.stringify(body.startsWith('[') ? calls : calls[0])
    return replacing(sent, await pass(sent), (call, reply) => {
      const result = change.result?.(call, reply.result)
      return result === undefined ? null : { result, error: null }
    })
  }
