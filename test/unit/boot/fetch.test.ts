import { afterAll, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { realPlatform } from '../../../src/boot/platform.ts'
import { HttpEndpoint } from '../../../src/networks/rpc/http.ts'

const { fetch } = realPlatform({ debug() {}, info() {}, warn() {}, error() {} })
const TEXT = JSON.stringify({ text: 'ok'.repeat(1000) })
const ZEROS = Buffer.alloc(64 * 1024 * 1024)
const bodies: Record<string, () => [coding: string, body: Uint8Array<ArrayBuffer>]> = {
  gzip: () => ['gzip', gzipSync(TEXT)],
  plain: () => ['identity', Buffer.from(TEXT)],
  br: () => ['br', brotliCompressSync(TEXT)],
  deflate: () => ['deflate', deflateSync(TEXT)],
  zstd: () => ['zstd', zstdCompressSync(TEXT)],
  twice: () => ['gzip, gzip', gzipSync(gzipSync(TEXT))],
  garbage: () => ['gzip', Buffer.from(TEXT)],
  cut: () => ['gzip', gzipSync(TEXT).subarray(0, 30)],
  bomb: () => ['gzip', gzipSync(ZEROS)],
}
const asked: (string | null)[] = []
const server = Bun.serve({
  port: 0,
  fetch(request) {
    asked.push(request.headers.get('accept-encoding'))
    const name = new URL(request.url).pathname.slice(1)
    if (name === 'nothing') return new Response(null, { status: 204, headers: { 'content-encoding': 'br' } })
    if (name === 'slow') {
      const stream = new ReadableStream({
        start: controller => controller.enqueue(gzipSync(TEXT).subarray(0, 30)),
      })
      return new Response(stream, { headers: { 'content-encoding': 'gzip' } })
    }
    const [coding, body] = bodies[name]!()
    return new Response(body, { status: 201, headers: { 'content-encoding': coding, 'x-own': 'here' } })
  },
})
afterAll(() => server.stop(true))

const get = (name: string, init?: RequestInit) => fetch(`${server.url}${name}`, init)

test.each(['gzip', 'plain'])('a response is decoded by its headers: %s', async name => {
  const response = await get(name, { headers: { 'x-key': 'a' } })
  expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([201, 'here', TEXT])
  expect(asked.at(-1)).toBe('gzip')
})

test('an empty response has no body', async () => {
  expect((await get('nothing')).status).toBe(204)
})

test.each(['br', 'deflate', 'zstd', 'twice'])(
  'an encoding that was not requested is refused: %s',
  async name => {
    await expect(get(name)).rejects.toThrow('not asked for')
  },
)

test.each(['garbage', 'cut'])('a body that does not match its headers cannot be read: %s', async name => {
  const response = await get(name)
  await expect(response.text()).rejects.toThrow()
})

const upstream = (timeoutMs: number) =>
  new HttpEndpoint(String(server.url), {
    fetch,
    clock: Date.now,
    timeoutMs,
    maxBytes: 1024 * 1024,
  })

test('a response that becomes too large is not decompressed to its end', async () => {
  expect(await upstream(10_000).get('/bomb')).toEqual({ status: 201, text: null })
  let read = 0
  const { body } = await get('bomb')
  const reader = body!.getReader()
  read += (await reader.read()).value?.byteLength ?? 0
  expect(read).toBeWithin(1, 2 * 1024 * 1024)
  await reader.cancel()
})

test('a compressed body that does not end is given up after the timeout', async () => {
  await expect(upstream(200).get('/slow')).rejects.toMatchObject({ fault: 'silent' })
})
