import { afterAll, expect, test } from 'bun:test'
import { makeWebSockets } from '../../src/outbound/web-socket.ts'
import { certify } from './servers.ts'

const own = certify('relay.test')
const other = certify('relay.test')

const LONG = 70_000
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  tls: own,
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('no', { status: 400 })),
  websocket: {
    message(socket, text) {
      if (text === 'flood') socket.send('x'.repeat(10 * LONG))
      else if (text === 'close') socket.close()
      else if (text !== 'silence') socket.send(`you said ${text}`)
    },
  },
})
afterAll(() => server.stop(true))

const host = { host: 'relay.test', port: server.port ?? 0 }
const url = `wss://relay.test:${server.port}`
const lookup = async () => [{ address: '127.0.0.1' }]
const open = (change: object = {}, ms = 3000) =>
  makeWebSockets({ allow: [host], lookup, ca: own.cert, assertOutside() {}, ...change })(
    url,
    AbortSignal.timeout(ms),
  )

test('texts of every length pass through a connection that trusts the server’s own certificate', async () => {
  const socket = await open()
  for (const length of [0, 1, 125, 126, 200, 65_535, 65_536, LONG]) {
    socket.send('x'.repeat(length))
    expect((await socket.next()).length).toBe('you said '.length + length)
  }
  socket.send('one')
  socket.send('two')
  expect([await socket.next(), await socket.next()]).toEqual(['you said one', 'you said two'])
  socket.close()
  expect(await socket.next().catch(error => error.message)).toContain('closed')
})

test.each<[string, object]>([
  ['a private host that nobody allowed', { allow: [] }],
  ['another port than the allowed one', { allow: [{ ...host, port: 1 }] }],
  ['a certificate that is not trusted', { ca: other.cert }],
])('a WebSocket does not connect to a server with %s', async (_, change) => {
  expect(await open(change).catch(() => 'refused')).toBe('refused')
})

test.each([
  ['sends too much', 'flood', /too much|timed out/],
  ['ends the connection', 'close', /ended the connection/],
  ['does not answer', 'silence', /timed out/],
])('a WebSocket does not wait for a server that %s', async (_, text, words) => {
  const socket = await open({}, text === 'close' ? 20_000 : 2000)
  socket.send(text)
  const ends = async () => {
    for (;;) await socket.next()
  }
  expect(await ends().catch(error => error.message)).toMatch(words)
})
