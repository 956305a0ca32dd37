import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { makeGuardedFetch } from '../../src/outbound/fetch.ts'
import { certify, NAME, receive, speak } from './servers.ts'

const { key, cert } = certify(NAME)
const closers: (() => unknown)[] = []
afterAll(() => Promise.all(closers.map(close => close())))

let server: ReturnType<typeof receive>
let plain: ReturnType<typeof receive>
beforeAll(() => {
  const answer = ({ url }: Request) => {
    if (url.endsWith('/away')) return new Response(null, { status: 302, headers: { location: '/here' } })
    if (url.endsWith('/slow')) return Bun.sleep(60_000).then(() => new Response())
    if (url.endsWith('/endless')) return new Response(endless())
    return new Response('here', { headers: { 'retry-after': '7' } })
  }
  server = receive(answer, { key, cert })
  plain = receive(answer)
  closers.push(server.close, plain.close)
})

const endless = () =>
  new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(65536))
      await Bun.sleep(1)
    },
  })

const guarded = (
  addresses: string[],
  allow: { host: string; port: number }[] = [],
  assertOutside: () => void = () => {},
) =>
  makeGuardedFetch({
    allow,
    ca: cert,
    assertOutside,
    lookup: async () => addresses.map(address => ({ address })),
  })

const here = () => [{ host: '127.0.0.1', port: plain.port }]
const at = (path: string) => `http://127.0.0.1:${plain.port}${path}`

describe('a request to an endpoint that a person entered', () => {
  test('never connects to a private address, whatever name resolves to it', async () => {
    for (const addresses of [['127.0.0.1'], ['::1'], ['169.254.169.254'], ['8.8.8.8', '10.0.0.1']])
      await expect(guarded(addresses)(`https://${NAME}:${server.port}/`)).rejects.toMatchObject({
        code: 'destination_not_allowed',
      })
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '0x7f.1', 'node.lan'])
      await expect(guarded(['8.8.8.8'])(`https://${host}:${server.port}/`)).rejects.toMatchObject({
        code: 'destination_not_allowed',
      })
    expect(server.received).toEqual([])
  })

  test('is encrypted unless the settings allow the host', async () => {
    await expect(guarded(['8.8.8.8'])('http://node.example/')).rejects.toMatchObject({
      code: 'validation_error',
    })
    expect(await (await guarded([], here())(at('/'))).text()).toBe('here')
  })

  test('shows the certificate of its name, and shares connections', async () => {
    const tls = guarded(['127.0.0.1'], [{ host: NAME, port: server.port }])
    for (let left = 3; left > 0; left--)
      expect(await (await tls(`https://${NAME}:${server.port}/`)).text()).toBe('here')
    const other = guarded(['127.0.0.1'], [{ host: 'other.example', port: server.port }])
    await expect(other(`https://other.example:${server.port}/`)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(server.peers.size).toBe(1)
  })

  test('sends what it is given, and reads headers and body', async () => {
    plain.received.length = 0
    const headers = { 'x-api-key': 'k', 'content-type': 'application/json' }
    const answer = await guarded([], here())(at('/v2?a=b'), { method: 'POST', headers, body: '{"id":1}' })
    expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([
      200,
      '7',
      'here',
    ])
    const [received] = plain.received
    expect([received?.method, received?.path, received?.body.toString()]).toEqual([
      'POST',
      '/v2?a=b',
      '{"id":1}',
    ])
    expect(received?.headers).toMatchObject(headers)
  })

  test('follows no redirect', async () => {
    plain.received.length = 0
    expect((await guarded([], here())(at('/away'))).status).toBe(302)
    expect(plain.received.map(({ path }) => path)).toEqual(['/away'])
  })

  test('ends with its signal, and so does a body that is not read to its end', async () => {
    const signal = AbortSignal.timeout(50)
    await expect(guarded([], here())(at('/slow'), { signal })).rejects.toMatchObject({ name: 'TimeoutError' })
    const { body } = await guarded([], here())(at('/endless'))
    let bytes = 0
    for await (const chunk of body!) {
      bytes += chunk.length
      if (bytes > 1_000_000) break
    }
    expect(bytes).toBeGreaterThan(1_000_000)
    const late = await guarded([], here())(at('/endless'), { signal: AbortSignal.timeout(100) })
    await expect(late.text()).rejects.toThrow()
  })

  test('throws inside a write, and for an answer that is not HTTP', async () => {
    const refuse = () => {
      throw new Error('inside a write')
    }
    await expect(guarded([], here(), refuse)(at('/'))).rejects.toThrow('inside a write')
    const noise = await speak(socket => socket.end('hello\r\n\r\n'))
    closers.push(noise.close)
    const allow = [{ host: '127.0.0.1', port: noise.port }]
    await expect(guarded([], allow)(`http://127.0.0.1:${noise.port}/`)).rejects.toThrow()
  })
})
