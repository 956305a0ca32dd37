import { afterAll, describe, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../src/domain/log.ts'
import { makeRates } from '../../src/rates/rates.ts'
import { rateSources } from '../../src/settings/rate-sources.ts'
import { receive, speak } from '../outbound/servers.ts'
import { newFolder } from '../support/process.ts'
import { quickTimers } from '../support/timers.ts'

const directory = newFolder()
const closers: (() => unknown)[] = []
afterAll(() => Promise.all(closers.map(close => close())))

function given(list: string, speed = 1) {
  const timers = quickTimers(speed)
  const warnings: unknown[] = []
  const clock = { now: 1_000_000 }
  const log: Log = { debug: () => {}, info: () => {}, warn: fields => warnings.push(fields), error: () => {} }
  const rates = makeRates({
    sources: rateSources(list),
    fetch: (url, init) => fetch(url, init),
    readFile: path => readFile(path, 'utf8'),
    assets: [],
    baseUrls: { kraken: '', coinbase: '', binance: '', coingecko: '' },
    now: () => clock.now,
    log,
    signalAfter: timers.signalAfter,
  })
  return { rates, clock, warnings, timers }
}

function source(text: string) {
  const server = receive(() => new Response(text))
  closers.push(server.close)
  return { ...server, url: `http://127.0.0.1:${server.port}/rates` }
}

describe('a file of rates', () => {
  test('that is missing, broken or of the wrong shape gives no rate, with one warning for each problem', async () => {
    const path = join(directory, 'broken.json')
    const { rates, clock, warnings } = given(`file:${path}`)
    for (const text of [null, null, '{"btc"', '{"btc"', '[]', '{"btc": {"USD": "60000"}}']) {
      if (text !== null) await writeFile(path, text)
      const rate = await rates.rate('btc', 'USD')
      expect(rate?.value).toBe(text?.includes('60000') ? '60000' : undefined)
      clock.now += 60_000
    }
    expect(warnings).toEqual([
      { source: 'file', reason: `cannot be read at ${path}` },
      { source: 'file', reason: 'is not JSON' },
      { source: 'file', reason: 'must be a JSON object of objects' },
    ])
  })

  test('is enough on its own, and is read again after a minute', async () => {
    const path = join(directory, 'rates.json')
    await writeFile(path, '{"ethereum/usdc": {"USD": "1"}, "btc": {"USD": "60000", "EUR": 55000.5}}')
    const { rates, clock } = given(`file:${path}`)
    expect(await rates.rate('btc', 'EUR')).toEqual({
      value: '55000.5',
      currency: 'EUR',
      sources: ['file'],
      at: clock.now,
    })
    await writeFile(path, '{"btc": {"USD": "70000"}, "EUR": {"USD": "1.08"}}')
    expect((await rates.rate('btc', 'USD'))?.value).toBe('60000')
    clock.now += 60_000
    expect((await rates.rate('btc', 'USD'))?.value).toBe('70000')
    expect((await rates.rate('btc', 'EUR'))?.value).toBe('64814.8148148148148')
  })
})

describe('a URL of rates', () => {
  test('that closes the connection early, responds too slowly or without HTTP gives no rate', async () => {
    const breaking = await speak(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"btc"'))
    const garbage = await speak(socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    const dribbling = await speak(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n')
      const timer = setInterval(() => socket.write(' '), 50)
      socket.on('close', () => clearInterval(timer))
    })
    closers.push(breaking.close, garbage.close, dribbling.close)
    const [first, second, third] = [breaking, garbage, dribbling].map(({ port }) => `127.0.0.1:${port}`)
    const { rates, warnings, timers } = given(`http://${first}/,http://${second}/,http://${third}/`, 10)
    expect(await rates.rate('btc', 'USD')).toBeNull()
    expect(timers.asked).toEqual([5_000, 5_000, 5_000])
    expect(warnings).toEqual(
      expect.arrayContaining([
        { source: first, reason: 'closed the connection before the end of its response' },
        { source: second, reason: 'does not respond' },
        { source: third, reason: 'closed the connection before the end of its response' },
      ]),
    )
  })

  test('is enough on its own', async () => {
    const { port, url } = source('{"btc": {"USD": 60000.10}}')
    const { rates, clock } = given(url)
    expect(await rates.rate('btc', 'USD')).toEqual({
      value: '60000.1',
      currency: 'USD',
      sources: [`127.0.0.1:${port}`],
      at: clock.now,
    })
  })

  test('is requested at the same time as the others, and once for many callers', async () => {
    const path = join(directory, 'third.json')
    await writeFile(path, '{"usdc": {"USD": "1.002"}}')
    const first = source('{"usdc": {"USD": "1"}}')
    const second = source('{"ethereum/usdc": {"USD": "0.999"}}')
    const { rates } = given(`${first.url},${second.url},file:${path}`)
    const all = await Promise.all(Array.from({ length: 20 }, () => rates.rate('ethereum/usdc', 'USD')))
    expect(all.map(rate => rate?.value)).toEqual(Array(20).fill('1'))
    expect([first.received.length, second.received.length]).toEqual([1, 1])
    expect(first.received[0]).toMatchObject({ method: 'GET', path: '/rates' })
  })
})
