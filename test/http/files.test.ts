import { expect, test } from 'bun:test'
import { brotliDecompressSync } from 'node:zlib'
import { suite } from '../support/suite.ts'

const { app, once } = suite()
let script: string
let style: string
once(async () => {
  const { text } = await app.call('GET', '/swagger')
  script = /src="(\/swagger\/[^"]+)"/.exec(text)![1]!
  style = /href="(\/swagger\/[^"]+[.]css)"/.exec(text)![1]!
})

const get = (path: string, coding: string) =>
  app.florin.http.handle(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': coding } }))

/** The same path with some letters of the file name encoded. `bits` selects them. */
const spelled = (path: string, bits: number): string => {
  const letters = [...path.slice('/swagger/'.length)]
  const encode = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`
  return `/swagger/${letters.map((letter, at) => ((bits >> at) & 1 ? encode(letter) : letter)).join('')}`
}

test('a file of the API reference is found only at the exact spelling of its path', async () => {
  for (let bits = 1; bits < 100; bits++) {
    const answer = await get(spelled(style, bits), 'gzip')
    expect([answer.status, bits]).toEqual([404, bits])
  }
  expect((await get(style, 'gzip')).status).toBe(200)
  expect((await get(`${style}?v=1`, 'gzip')).status).toBe(200)
})

test('a file is encoded once, whatever its query and however many ask at once', async () => {
  for (const [path, coding] of [
    [style, 'br'],
    [style, 'gzip'],
    [script, 'br'],
    [script, 'identity'],
  ] as const) {
    await (await get(path, coding)).bytes()
    const { user } = process.cpuUsage()
    const before = process.memoryUsage.rss()
    await Promise.all(Array.from({ length: 200 }, (_, index) => get(`${path}?v=${index}`, coding)))
    expect([path, coding, process.cpuUsage().user - user < 400_000]).toEqual([path, coding, true])
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  }
})

test.each([
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate, gzip;q=0.5, br;q=0', 'gzip'],
  ['deflate,gzip , br', 'br'],
  ['br; q=0.000, gzip ;q=1.0', 'gzip'],
  ['x-gzip, gzip-x, bro', null],
  ['gzip;q=0', null],
  ['', null],
])('a browser that accepts "%s" gets a file as %p', async (accepted, coding) => {
  expect((await get(style, accepted)).headers.get('content-encoding')).toBe(coding)
})

test('a file has the same content in every encoding', async () => {
  for (const path of [style, script]) {
    const plain = await (await get(path, 'identity')).text()
    const zipped = await get(path, 'gzip')
    expect([zipped.headers.get('content-encoding'), zipped.headers.get('vary')]).toEqual([
      'gzip',
      'Accept-Encoding',
    ])
    expect(new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))).toBe(plain)
  }
})

test('a page has the same content in every encoding', async () => {
  const plain = await (await get('/llms.txt', 'identity')).text()
  const unpack = { gzip: Bun.gunzipSync, br: brotliDecompressSync, zstd: Bun.zstdDecompressSync } as const
  for (const coding of ['gzip', 'br', 'zstd'] as const) {
    const packed = await get('/llms.txt', coding)
    expect(packed.headers.get('content-encoding')).toBe(coding)
    expect(new TextDecoder().decode(unpack[coding](await packed.bytes()))).toBe(plain)
  }
})

test('responses that are compressed for each request use the cheaper coding, and files the smaller one', async () => {
  const codingOf = async (path: string, accepted: string) =>
    (await get(path, accepted)).headers.get('content-encoding')
  for (const [accepted, quick, small] of [
    ['gzip, deflate, br, zstd', 'zstd', 'br'],
    ['br, gzip', 'gzip', 'br'],
    ['zstd;q=0, gzip', 'gzip', 'gzip'],
  ] as const) {
    expect([await codingOf('/llms.txt', accepted), await codingOf(style, accepted)]).toEqual([quick, small])
  }
  expect(await codingOf('/llms.txt', 'gzip;q=0, br')).toBe('br')
})
