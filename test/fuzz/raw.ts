import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realPlatform } from '../../src/boot/platform.ts'
import { startServer } from '../../src/boot/serve.ts'
import type { Log } from '../../src/domain/log.ts'
import { createKey } from '../../src/operations/keys/manage.ts'
import { createMerchant } from '../../src/operations/merchants/create.ts'
import { readSettings } from '../../src/settings/read.ts'
import { type Random, randomOf } from '../http/random.ts'
import { orderBody } from '../support/given.ts'

/** A fault in the answer to some bytes. */
export interface RawFailure {
  number: number
  sent: string
  faults: string[]
}

/** A connection that has been silent for this time has sent everything. */
const QUIET_MS = 150
const READ_MS = 3000
/** The number of connections open at the same time. Some of them never end their request. */
const AT_ONCE = 25
const WELL_MS = 2000
const PRINTED = 400
const SPREAD = 7919

const odd = ['\0', '\u00ff', '\n', '\r', ' ', '\t', ':', '%', 'é']
const repeated = (text: string, times: number): string => text.repeat(times)

interface Bases {
  key: string
  order: string
}

/** A whole request, as a client writes it. */
function wholeRequest({ key, order }: Bases, random: Random): string {
  const body = JSON.stringify(orderBody({ externalId: `raw-${random.below(1000)}` }))
  const paths = [
    '/',
    '/healthz',
    '/v1/orders?pageSize=2',
    `/v1/orders/${order}`,
    `/pay/${order}`,
    '/dashboard/sign-in',
  ]
  if (random.chance(0.5)) {
    const path = random.pick(paths)
    return `${random.pick(['GET', 'HEAD', 'OPTIONS'])} ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`
  }
  const head = `POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`
  if (random.chance(0.6)) return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  return `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

const withHeader = (request: string, header: string): string => request.replace('\r\n', `\r\n${header}\r\n`)

/** Ways to spoil a request on the wire. */
const spoils: ((request: string, random: Random) => string)[] = [
  (request, random) => request.slice(0, random.below(request.length + 1)),
  (request, random) => {
    const at = random.below(request.length)
    return request.slice(0, at) + random.pick(odd) + request.slice(at + random.below(2))
  },
  request => request.replaceAll('\r\n', '\n'),
  request => repeated(request, 5),
  (request, random) => withHeader(request, `X-Long: ${repeated('a', random.pick([5000, 20_000, 100_000]))}`),
  request => withHeader(request, Array.from({ length: 400 }, (_, at) => `X-${at}: ${at}`).join('\r\n')),
  (request, random) =>
    withHeader(request, `Content-Length: ${random.pick(['-1', '5', '99999999999999999999', '+3', '0x5'])}`),
  (request, random) =>
    withHeader(
      request,
      `Transfer-Encoding: ${random.pick(['chunked', 'chunked, chunked', 'xchunked', 'gzip'])}`,
    ),
  (request, random) =>
    withHeader(request, `Host: ${random.pick(['', 'a b', 'other.example', '[::1', '\u00ff'])}`),
  (request, random) =>
    request.replace('HTTP/1.1', random.pick(['HTTP/1.0', 'HTTP/9.9', 'HTTP/', '', 'http/1.1', 'HTTP/2'])),
  (request, random) =>
    request.replace(/^\w+/, random.pick(['', 'get', 'CONNECT', 'TRACE', 'G\0T', repeated('A', 5000), 'PRI'])),
  (request, random) =>
    request.replace(
      /[/]\S*/,
      random.pick(['*', 'http://localhost/healthz', '//', `/${repeated('a', 20_000)}`, '/%', '/\\..\\', '']),
    ),
  request => withHeader(request, 'Expect: 100-continue'),
  request =>
    withHeader(
      request,
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13',
    ),
  (request, random) =>
    request.replace(
      /\r\n[0-9a-f]+\r\n\{/,
      `\r\n${random.pick(['zz', 'ffffffffffffffff', '-1', '', '5;a=b'])}\r\n{`,
    ),
  (_, random) =>
    Array.from({ length: random.below(400) }, () => String.fromCharCode(random.below(256))).join(''),
  () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
]

/** The bytes with this number, as Latin-1. */
export function rawBytes(bases: Bases, seed: number, number: number): string {
  const random = randomOf(seed * SPREAD + number)
  let request = wholeRequest(bases, random)
  for (let times = 1 + random.below(2); times > 0; times--) request = random.pick(spoils)(request, random)
  return request
}

/** The bytes that the server sends until it is quiet or closes. The connection stays open until `end`. */
function talk(port: number, text: string): Promise<{ said: string; end(): void }> {
  return new Promise(resolve => {
    let said = ''
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    const done = () => resolve({ said, end: () => socket.destroy() })
    const giveUp = setTimeout(done, READ_MS)
    let quiet = setTimeout(() => {}, 0)
    socket.on('data', part => {
      said += part.toString('latin1')
      clearTimeout(quiet)
      quiet = setTimeout(done, QUIET_MS)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(giveUp)
      done()
    })
    // A server that waits for the rest of a request says nothing.
    quiet = setTimeout(done, 4 * QUIET_MS)
  })
}

const inside = /\n\s+at \S+ \(?[^)\s]+:\d+:\d+|node_modules|[/]src[/][\w/-]+[.]ts/

function faultsIn(said: string): string[] {
  const statuses = [...said.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
  // 505 is the correct answer to an unknown HTTP version.
  const bad = statuses.filter(status => status >= 500 && status !== 505)
  const found = inside.exec(said)?.[0]
  return [
    ...bad.map(status => `answered ${status}`),
    ...(found === undefined ? [] : [`the answer shows its insides: ${found}`]),
  ]
}

/** A listening server with a shop. Its errors are recorded. */
async function openServer() {
  const folder = mkdtempSync(join(tmpdir(), 'florin-fuzz-'))
  const errors: string[] = []
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (fields, event) => void errors.push(`${event}: ${JSON.stringify(fields)}`),
  }
  const settings = readSettings({
    ...{ FLORIN_DATA_DIR: folder, FLORIN_PORT: '0', FLORIN_HOST: '127.0.0.1', FLORIN_SANDBOX: 'true' },
    ...{ FLORIN_PUBLIC_RATE_LIMIT: '0', FLORIN_API_RATE_LIMIT: '0' },
  })
  const { florin, url, stop } = await startServer(settings, realPlatform(log))
  const { id } = await createMerchant(florin.context, { email: 'shop@shop.example', name: 'Shop' })
  const { text: key } = await createKey(florin.context, { merchantId: id, mode: 'live' })
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify(orderBody({ paymentMethodsKeys: ['stripe'] }))
  const made = (await (await fetch(`${url}/v1/orders`, { method: 'POST', headers, body })).json()) as {
    data: { orderUUID: string } | null
  }
  return {
    url,
    errors,
    bases: { key, order: made.data?.orderUUID ?? crypto.randomUUID() },
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The time until the server answers its health check, while other connections are open. */
async function wellAfter(url: string): Promise<number> {
  const since = performance.now()
  await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(READ_MS * 10) })
  return performance.now() - since
}

/** Sends bytes over many connections at the same time, and checks the answers. */
export async function fuzzSocket(options: {
  seed: number
  from: number
  count: number
}): Promise<RawFailure[]> {
  const { seed, from, count } = options
  const server = await openServer()
  const port = Number(new URL(server.url).port)
  const failures: RawFailure[] = []
  try {
    for (let first = from; first < from + count; first += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, from + count - first) }, (_, at) => first + at)
      const sent = numbers.map(number => rawBytes(server.bases, seed, number))
      const talks = await Promise.all(sent.map(text => talk(port, text)))
      const waited = await wellAfter(server.url)
      for (const { end } of talks) end()
      for (const [at, { said }] of talks.entries()) {
        const faults = faultsIn(said)
        if (faults.length > 0)
          failures.push({ number: numbers[at]!, sent: JSON.stringify(sent[at]).slice(0, PRINTED), faults })
      }
      const together = [
        ...(waited > WELL_MS ? [`the server took ${Math.round(waited)} ms to say that it is well`] : []),
        ...server.errors.splice(0).map(error => `${error} was logged`),
      ]
      if (together.length > 0)
        failures.push({ number: first, sent: `${numbers.length} connections at once`, faults: together })
    }
    return failures
  } finally {
    await server.close()
  }
}
