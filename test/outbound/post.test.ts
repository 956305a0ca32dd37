import { afterAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import type { DeliveryOutcome } from '../../src/domain/webhook.ts'
import { quickTimers } from '../support/timers.ts'
import { NAME, outboundTo, receive, speak, until } from './servers.ts'

const closers: (() => unknown)[] = []
afterAll(() => Promise.all(closers.map(close => close())))

const json = { 'Content-Type': 'application/json' }

function receiver(...parameters: Parameters<typeof receive>) {
  const server = receive(...parameters)
  closers.push(server.close)
  return server
}

async function rawServer(say: (socket: Socket) => void) {
  const server = await speak(say)
  closers.push(server.close)
  return server
}

describe('a response whose status is not 200 is refused', () => {
  test.each([201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    '%d',
    async status => {
      const server = receiver(() => new Response(null, { status, headers: { Location: '/elsewhere' } }))
      const answer = await outboundTo([server.port]).post(`http://${NAME}:${server.port}/hook`, json, '{}')
      expect(answer).toEqual({ httpStatus: status, outcome: 'refused', durationMs: expect.any(Number) })
      expect(server.received.map(({ path }) => path)).toEqual(['/hook'])
    },
  )

  test('even with a redirect, which is not followed', async () => {
    const target = receiver()
    const server = receiver(() => Response.redirect(`http://127.0.0.1:${target.port}/`, 307))
    const answer = await outboundTo([server.port, target.port]).post(
      `http://${NAME}:${server.port}/`,
      json,
      '{}',
    )
    expect(answer).toMatchObject({ httpStatus: 307, outcome: 'refused' })
    expect(target.received).toEqual([])
  })
})

describe('a response that is not valid HTTP', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const spoken: [name: string, bytes: string, httpStatus: number | null, outcome: DeliveryOutcome][] = [
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', null, 'bad_answer'],
    ['random bytes', '\0\x01\x02\xff\xfe', null, 'bad_answer'],
    ['a negative status', 'HTTP/1.1 -200 OK\r\n\r\n', null, 'bad_answer'],
    ['a status that is not a number', 'HTTP/1.1 two OK\r\n\r\n', null, 'bad_answer'],
    ['an endless header', `${head}X: ${'x'.repeat(200_000)}`, null, 'bad_answer'],
    ['two content lengths', `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, null, 'bad_answer'],
    ['a broken chunk', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 200, 'bad_answer'],
    ['a body cut short', `${head}Content-Length: 10\r\n\r\nabc`, 200, 'bad_answer'],
    ['chunks cut short', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nab`, 200, 'bad_answer'],
    ['endless interim responses', 'HTTP/1.1 103 Early\r\n\r\n'.repeat(20_000), null, 'bad_answer'],
    ['no response', '', null, 'unreachable'],
    ['a protocol upgrade', 'HTTP/1.1 101 Now\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 101, 'refused'],
    ['a body without a length', `${head}\r\nabc`, 200, 'delivered'],
    [
      'interim responses, then a final one',
      `HTTP/1.1 103 Early\r\n\r\n${head}Content-Length: 0\r\n\r\n`,
      200,
      'delivered',
    ],
    [
      'a body that claims to be compressed',
      `${head}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`,
      200,
      'delivered',
    ],
  ]

  test.each(spoken)('%s', async (_name, bytes, httpStatus, outcome) => {
    const server = await rawServer(socket => socket.end(Buffer.from(bytes, 'latin1')))
    const answer = await outboundTo([server.port], { timeoutMs: 3_000 }).post(
      `http://${NAME}:${server.port}/`,
      json,
      '{}',
    )
    expect(answer).toMatchObject({ httpStatus, outcome })
    await until(() => server.seen.open === 0)
  })
})

describe('a server that takes too long', () => {
  const dribble = (opening: string, drop: string) => (socket: Socket) => {
    socket.write(opening)
    const timer = setInterval(() => socket.write(drop), 20)
    socket.on('close', () => clearInterval(timer))
  }
  const slow: [name: string, httpStatus: number | null, say: (socket: Socket) => void][] = [
    ['never answers', null, () => {}],
    ['dribbles its headers', null, dribble('HTTP/1.1 200 OK\r\n', 'X: y\r\n')],
    ['dribbles interim responses', null, dribble('', 'HTTP/1.1 103 Early\r\n\r\n')],
    ['dribbles its body', 200, dribble('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n', 'x')],
    ['dribbles chunks', 200, dribble('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n')],
    ['never sends its body', 200, socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n')],
  ]

  test.each(slow)('%s', async (_name, httpStatus, say) => {
    const server = await rawServer(say)
    const startedAt = performance.now()
    const answer = await outboundTo([server.port], { timeoutMs: 250 }).post(
      `http://${NAME}:${server.port}/`,
      json,
      '{}',
    )
    const tookMs = performance.now() - startedAt
    expect(answer).toMatchObject({ httpStatus, outcome: 'timed_out' })
    expect(tookMs).toBeGreaterThanOrEqual(240)
    expect(tookMs).toBeLessThan(9_000)
    await until(() => server.seen.open === 0)
  })

  test('has ten seconds, including name resolution', async () => {
    const server = await rawServer(dribble('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n', 'x'))
    const lookup = async () => {
      await Bun.sleep(150)
      return [{ address: '127.0.0.1' }]
    }
    const { asked, startTimer } = quickTimers(20)
    const answer = await outboundTo([server.port], { lookup, startTimer }).post(
      `http://${NAME}:${server.port}/`,
      json,
      '{}',
    )
    expect(answer).toMatchObject({ httpStatus: 200, outcome: 'timed_out' })
    expect(asked).toEqual([10_000])
    expect(answer.durationMs).toBeWithin(490, 9_000)
  })

  test('is disconnected after 64 KiB of response, and its status counts', async () => {
    for (const [status, outcome] of [
      [200, 'delivered'],
      [500, 'refused'],
    ] as const) {
      const megabyte = Buffer.alloc(1024 * 1024)
      let written = 0
      const server = await rawServer(socket => {
        const pour = (): void => {
          if (socket.destroyed || written > 500 * megabyte.length) return
          written += megabyte.length
          socket.write(megabyte, pour)
        }
        socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: ${1e12}\r\n\r\n`, pour)
      })
      const answer = await outboundTo([server.port]).post(`http://${NAME}:${server.port}/`, json, '{}')
      expect(answer).toMatchObject({ httpStatus: status, outcome })
      await until(() => server.seen.open === 0)
      expect(written).toBeLessThan(50 * megabyte.length)
    }
  })
})

describe('a host name', () => {
  test('that does not exist is unreachable', async () => {
    for (const lookup of [() => Promise.reject(new Error('ENOTFOUND')), async () => []]) {
      const answer = await outboundTo([], { lookup }).post(`https://${NAME}/`, json, '{}')
      expect(answer).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
    }
  })

  test('whose resolution hangs times out', async () => {
    const lookup = () => new Promise<never>(() => {})
    const answer = await outboundTo([], { lookup, timeoutMs: 100 }).post(`https://${NAME}/`, json, '{}')
    expect(answer).toMatchObject({ httpStatus: null, outcome: 'timed_out' })
  })

  test('whose resolution fails late does no harm', async () => {
    const lookup = () => Bun.sleep(150).then(() => Promise.reject(new Error('ETIMEOUT')))
    const answer = await outboundTo([], { lookup, timeoutMs: 50 }).post(`https://${NAME}/`, json, '{}')
    expect(answer.outcome).toBe('timed_out')
    await Bun.sleep(200)
  })
})

test('a closed port is unreachable', async () => {
  const server = await speak(() => {})
  server.close()
  const answer = await outboundTo([server.port]).post(`http://${NAME}:${server.port}/`, json, '{}')
  expect(answer).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
})

test('headers that cannot be sent do not throw', async () => {
  const server = receiver()
  const answer = await outboundTo([server.port]).post(
    `http://${NAME}:${server.port}/`,
    { 'X-Bad': 'a\r\nX-Injected: b' },
    '{}',
  )
  expect(answer).toMatchObject({ httpStatus: null, outcome: 'unreachable' })
  expect(server.received).toEqual([])
})

describe('a delivery', () => {
  test('sends exactly the given bytes and headers', async () => {
    const server = receiver()
    const body = '{"name":"Zoë ☕ \\u0000","n":1.10}\n'
    const answer = await outboundTo([server.port]).post(
      `http://${NAME}:${server.port}/hook?a=b%20c`,
      { ...json, 'X-Service-Event': 'order.paid', 'User-Agent': 'someone else' },
      body,
    )
    expect(answer).toEqual({
      httpStatus: 200,
      outcome: 'delivered',
      durationMs: expect.any(Number),
      answer: { type: 'text/plain;charset=utf-8', body: 'ok', isCut: false },
    })
    expect(server.received).toEqual([
      {
        method: 'POST',
        path: '/hook?a=b%20c',
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'x-service-event': 'order.paid',
          'user-agent': 'Florin/1.2.3',
          host: `${NAME}:${server.port}`,
          connection: 'close',
        },
        body: Buffer.from(body),
      },
    ])
  })

  test('uses each connection once, and keeps no cookies', async () => {
    const server = await rawServer(socket =>
      socket.write(
        'HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n',
      ),
    )
    const outbound = outboundTo([server.port])
    for (const connections of [1, 2, 3]) {
      expect((await outbound.post(`http://${NAME}:${server.port}/`, json, '{}')).outcome).toBe('delivered')
      expect(server.seen.connections).toBe(connections)
    }
    await until(() => server.seen.open === 0)
  })

  test('measures its duration with the given clock', async () => {
    const server = receiver()
    const ticks = [1_000, 1_234.6]
    const outbound = outboundTo([server.port], { now: () => ticks.shift()! })
    expect((await outbound.post(`http://${NAME}:${server.port}/`, json, '{}')).durationMs).toBe(235)
  })

  test('ignores the proxies of the environment', async () => {
    const server = receiver()
    const proxy = await rawServer(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => [name, name.toLowerCase()])
    const child = Bun.spawn([process.execPath, new URL('./proxied.ts', import.meta.url).pathname], {
      env: {
        ...process.env,
        ...Object.fromEntries(proxies.map(name => [name, `http://127.0.0.1:${proxy.port}`])),
        NO_PROXY: '',
        no_proxy: '',
        NODE_USE_ENV_PROXY: '1',
        TARGET_PORT: String(server.port),
      },
    })
    expect(await new Response(child.stdout).text()).toBe('delivered unreachable')
    expect(server.received.length).toBe(1)
    expect(proxy.seen.connections).toBe(0)
  })
})
