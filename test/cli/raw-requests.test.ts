import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { endProcesses, FLORIN, type RunningProcess, startProcess } from '../support/process.ts'
import { words } from '../support/words.ts'
import { florinIn } from './commands.ts'

/** A server's answer to raw bytes. */
interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

const DEADLINE_MS = 10_000

/** Sends text over a socket, encoded as Latin-1, and reads until the server closes the connection. */
function sendRaw(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`no answer to ${JSON.stringify(text)}`)))
    socket.on('data', part => {
      received += part.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(parse(received)))
  })
}

function parse(received: string): RawAnswer {
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = lines.map(line => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: received.slice(end + 4),
  }
}

interface RawRequest {
  method?: string
  path: string
  /** null leaves the header out */
  host?: string | null
  version?: '1.0' | '1.1'
  headers?: Record<string, string>
}

/** The text of a request without a body, exactly as given. */
function rawRequest({ method = 'GET', path, host = 'x', version = '1.1', headers }: RawRequest) {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  if (host !== null) lines.unshift(`Host: ${host}`)
  return `${method} ${path} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`
}

let server: RunningProcess
let key: string

beforeAll(async () => {
  server = await startProcess(FLORIN, ['serve'], { NODE_ENV: 'development' })
  const florin = florinIn(server.dataDir)
  const { merchantId } = await florin.json('merchant', 'create', '--email', 'a@b.example', '--name', 'Shop')
  key = (await florin.json('key', 'create', '--merchant', merchantId, '--mode', 'live')).key
})
afterAll(endProcesses)

const send = (request: Parameters<typeof rawRequest>[0]) => sendRaw(server.url, rawRequest(request))

function expectEnvelope(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json'])
  const { success, error } = JSON.parse(answer.body)
  expect([success, error.code, error.requestId]).toEqual([false, code, answer.headers['x-request-id']])
}

const noHosts = ['', 'a b', 'a|b', '%zz', 'a\\b.example', '[::1', '256.1.1.1', 'a.example:99999']
const moreNoHosts = [
  ...['a.example:x', 'a\xee', 'a/b', 'a?b', 'a#b', 'user@a', 'a;b', 'a, b', '[1.2.3.4]', 'a..b'],
]
const routes = words('/nope /v1/orders /v1/orders?pageSize=1 /callback/gateway?attempt=x / /healthz')

test.each([...noHosts, ...moreNoHosts])(
  'the Host header "%s" is refused with 400 on every route',
  async host => {
    for (const path of routes) {
      expectEnvelope(await send({ path, host, headers: { 'X-API-Key': key } }), 400, 'validation_error')
    }
  },
)

test.each(['x', 'ab', 'a:1', 'abc', 'A.Example', 'a_b', 'a.example.', '127.0.0.1', '[::1]:80', 'xn--p1ai:'])(
  'the host %s is answered like any other',
  async host => {
    const orders = { path: '/v1/orders?pageSize=1', host, headers: { 'X-API-Key': key } }
    expect((await send(orders)).status).toBe(200)
    expect((await send({ path: '/healthz', host })).status).toBe(200)
    expectEnvelope(
      await send({ path: '/pay/v1/orders', host, headers: { 'X-API-Key': key } }),
      404,
      'not_found',
    )
  },
)

test('a request of HTTP/1.0 without a Host header is answered', async () => {
  const old = { host: null, version: '1.0' as const }
  expect((await send({ ...old, path: '/healthz' })).status).toBe(200)
  const list = await send({ ...old, path: '/v1/orders?pageSize=1', headers: { 'X-API-Key': key } })
  expect([list.status, JSON.parse(list.body).success]).toEqual([200, true])
  expectEnvelope(await send({ ...old, path: '/v1/orders' }), 401, 'unauthorized')
  expectEnvelope(await send({ ...old, path: '/nope' }), 404, 'not_found')
})

const dotted = [
  '/pay/../v1/orders',
  '/pay/%2e%2e/v1/orders',
  '/pay/.%2E/v1/orders',
  '/sandbox/../v1/orders',
  '/pay/./../v1/orders/',
  '/pay//../../v1/orders',
  '/pay//../../v1/orders/',
  '/pay\\..\\v1\\orders',
  '/v1/orders/.',
  '/v1/./orders',
  '/v1/orders/x/..#',
  `/pay${'/a'.repeat(20)}${'/..'.repeat(21)}/v1/orders`,
  'http://a.example/pay/../v1/orders',
]

test.each(dotted)('the path %s is refused, with or without a Host header', async path => {
  for (const old of [{}, { host: null, version: '1.0' as const }]) {
    const answer = await send({ path, ...old, headers: { 'X-API-Key': key } })
    expectEnvelope(answer, 400, 'validation_error')
  }
})

test('dots in a path are kept unless they are a segment of their own', async () => {
  const headers = { 'X-API-Key': key }
  expect((await send({ path: '/swagger?from=/../x', headers })).status).toBe(200)
  for (const path of ['/..;/v1/orders', '/...', '/a..b', '/v1//orders', '/a%2f..%2fb']) {
    expectEnvelope(await send({ path, headers }), 404, 'not_found')
  }
})

test('the runtime has no routes of its own', async () => {
  for (const path of ['/bun:info', '/_bun/client', '/.well-known/appspecific/com.chrome.devtools.json']) {
    expectEnvelope(await send({ path, host: 'localhost' }), 404, 'not_found')
  }
})

test('methods that echo a request are not answered, nor are scripts of other sites where a login counts', async () => {
  for (const method of ['TRACE', 'OPTIONS', 'PROPFIND']) {
    for (const path of ['/v1/orders', '/healthz', '/dashboard/sign-in', '/']) {
      const request = rawRequest({ method, path, host: 'localhost' })
      const { status, headers, body } = await sendRaw(server.url, request)
      expect([method, path, [400, 404, 405].includes(status)]).toEqual([method, path, true])
      expect(body).not.toContain('localhost')
      expect(Object.keys(headers).filter(name => name.startsWith('access-control-'))).toEqual([])
    }
  }
})

test('requests of random bytes are never answered with a page of the runtime or with 500', async () => {
  const pick = <T>(from: readonly T[], random: number): T => from[random % from.length]!
  const bytes = new Uint8Array(4 * 400)
  crypto.getRandomValues(bytes)
  for (let at = 0; at < bytes.length; at += 4) {
    const [path, host, version, odd] = bytes.subarray(at, at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ]
    const request = rawRequest({
      path: `${pick(routes, path)}${odd % 3 === 0 ? String.fromCharCode(33 + (odd % 90)) : ''}`,
      host: pick([...noHosts, ...moreNoHosts, null, 'x', String.fromCharCode(32 + (host % 220))], host),
      version: pick(['1.0', '1.1'], version),
    })
    const { status, body } = await sendRaw(server.url, request)
    expect({ request, isServerError: status >= 500 && status !== 505 }).toEqual({
      request,
      isServerError: false,
    })
    expect(body).not.toContain('cwd')
  }
  expect(server.stderr()).not.toContain('"level":"error"')
}, 30_000)
