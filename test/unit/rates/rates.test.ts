import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Log } from '../../../src/domain/log.ts'
import { makeRates } from '../../../src/rates/rates.ts'
import { rateSources } from '../../../src/settings/rate-sources.ts'

const MINUTE_MS = 60_000

type Reply = string | number | Error | (() => Promise<Response>)

/** Rates from sources named a.example, b.example and so on, with these replies. */
function given(...replies: Reply[]) {
  const names = replies.map((_, at) => `${'abcdefgh'[at]}.example`)
  const clock = { now: 1_000_000 }
  const requests: string[] = []
  const logged: [event: string, level: string, fields: object][] = []
  const record = (level: string) => (fields: object, event: string) => {
    logged.push([event, level, fields])
  }
  const log: Log = {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  }
  const rates = makeRates({
    sources: rateSources(names.map(name => `https://${name}/rates?key=secret`).join(',')),
    fetch: async url => {
      const { host } = new URL(url)
      requests.push(host)
      const reply = replies[names.indexOf(host)]!
      if (reply instanceof Error) throw reply
      if (typeof reply === 'function') return reply()
      return typeof reply === 'number' ? new Response('{}', { status: reply }) : new Response(reply)
    },
    readFile: () => Promise.reject(new Error('no file is expected here')),
    now: () => clock.now,
    assets: [],
    baseUrls: { kraken: '', coinbase: '', binance: '', coingecko: '' },
    log,
  })
  return { rates, clock, requests, logged, replies, names }
}

const usd = (value: string): string => JSON.stringify({ btc: { USD: value } })

describe('there is no rate', () => {
  const cases: [name: string, replies: Reply[]][] = [
    ['without a source', []],
    ['when the only source is unavailable', [503]],
    ['when the only source cannot be reached', [new Error('refused')]],
    ['when the only source does not list the asset', ['{}']],
    ['when the only source is not JSON', ['<html>']],
    ['when one of two is unavailable', [usd('100'), 503]],
    ['when one of two does not list the asset', [usd('100'), '{}']],
    ['when two are 2.01 % apart', [usd('100'), usd('102.01')]],
    ['when all of three are apart', [usd('100'), usd('103'), usd('106.1')]],
    ['when two of three do not respond', [usd('100'), 500, 500]],
    ['when two agree, but two broken ones drag the median away', ['100', '101', '500', '900'].map(usd)],
  ]

  test.each(cases)('%s', async (_name, replies) => {
    expect(await given(...replies).rates.rate('btc', 'USD')).toBeNull()
  })
})

describe('a rate', () => {
  const cases: [name: string, prices: string[], value: string][] = [
    ['of the only source is enough', ['100'], '100'],
    ['of two sources is their mean', ['100', '102'], '101'],
    ['of two sources is their exact mean', ['100', '100.0000001'], '100.00000005'],
    ['of three sources is the middle one', ['101', '150', '100'], '101'],
    ['of three sources is the middle one, from below', ['101', '1', '100'], '100'],
    ['of four sources is the mean of the middle two', ['100', '101', '102', '500'], '101.5'],
    ['of five sources is the middle one', ['99', '1', '900', '100', '101'], '100'],
  ]

  test.each(cases)('%s', async (_name, prices, value) => {
    const { rates, names, clock } = given(...prices.map(usd))
    expect(await rates.rate('btc', 'USD')).toEqual({ value, currency: 'USD', sources: names, at: clock.now })
  })

  test('names only its sources', async () => {
    const { rates } = given(usd('100'), 503, usd('101'))
    expect((await rates.rate('btc', 'USD'))?.sources).toEqual(['a.example', 'c.example'])
  })

  test('is the mean of two, rounded down if it has too many decimals', async () => {
    const one = `1.${'0'.repeat(29)}1`
    expect((await given(usd(one), usd('1')).rates.rate('btc', 'USD'))?.value).toBe('1')
  })

  test('is the median, and two sources are within 2 % of each other and of it', async () => {
    const price = fc.bigInt({ min: 1n, max: 10n ** 6n })
    const near = (a: bigint, b: bigint): boolean => 50n * (a > b ? a - b : b - a) <= (a < b ? a : b)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(price, { minLength: 2, maxLength: 6 }),
          fc.array(fc.bigInt({ min: 980n, max: 1020n }), { minLength: 2, maxLength: 6 }),
        ),
        async prices => {
          const rate = await given(...prices.map(value => usd(String(value)))).rates.rate('btc', 'USD')
          if (rate === null) return
          const tenths = BigInt(Math.round(Number(rate.value) * 10))
          const scaled = prices.map(value => value * 10n)
          const agreeing = scaled.filter(value => near(value, tenths))
          expect(agreeing.length).toBeGreaterThanOrEqual(2)
          expect(agreeing.some((a, at) => agreeing.some((b, other) => at !== other && near(a, b)))).toBe(true)
          expect(scaled.filter(value => value <= tenths).length * 2).toBeGreaterThanOrEqual(scaled.length)
          expect(scaled.filter(value => value >= tenths).length * 2).toBeGreaterThanOrEqual(scaled.length)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a table of rates', () => {
  test('is requested once for concurrent callers', async () => {
    const { rates, requests } = given(usd('100'), usd('101'))
    await Promise.all([
      rates.rate('btc', 'USD'),
      rates.rate('btc', 'EUR'),
      rates.rate('ltc', 'USD'),
      rates.refresh(),
    ])
    expect(requests).toEqual(['a.example', 'b.example'])
  })

  test('is fresh for a minute, and then requested again', async () => {
    const { rates, clock, requests, replies } = given(usd('100'))
    await rates.rate('btc', 'USD')
    replies[0] = usd('200')
    clock.now += MINUTE_MS - 1
    expect((await rates.rate('btc', 'USD'))?.value).toBe('100')
    expect(requests.length).toBe(1)
    clock.now += 1
    expect(await rates.rate('btc', 'USD')).toMatchObject({ value: '200', at: clock.now })
    expect(requests.length).toBe(2)
  })

  test('is used for five minutes after its source failed, with its own age, and no longer', async () => {
    const { rates, clock, replies } = given(usd('100'))
    const startedAt = clock.now
    await rates.rate('btc', 'USD')
    replies[0] = 503
    clock.now = startedAt + 5 * MINUTE_MS
    expect(await rates.rate('btc', 'USD')).toMatchObject({ value: '100', at: startedAt })
    clock.now += 1
    expect(await rates.rate('btc', 'USD')).toBeNull()
    replies[0] = usd('300')
    expect((await rates.rate('btc', 'USD'))?.value).toBe('300')
  })

  test('is as old as the oldest of its sources, counted from before the request', async () => {
    const { rates, clock, replies } = given(usd('100'), usd('101'))
    const startedAt = clock.now
    await rates.rate('btc', 'USD')
    replies[1] = 503
    clock.now += 2 * MINUTE_MS
    expect((await rates.rate('btc', 'USD'))?.at).toBe(startedAt)
    replies[1] = async () => {
      clock.now += 3_000
      return new Response(usd('101'))
    }
    clock.now += 2 * MINUTE_MS
    expect((await rates.rate('btc', 'USD'))?.at).toBe(clock.now - 3_000)
  })

  test('is fetched ahead only while rates are used', async () => {
    const { rates, clock, requests } = given(usd('100'))
    await rates.refresh()
    expect(requests).toEqual([])
    await rates.rate('btc', 'USD')
    clock.now += 10 * MINUTE_MS
    await rates.refresh()
    expect(requests.length).toBe(2)
    clock.now += 1
    await rates.refresh()
    expect(requests.length).toBe(2)
  })

  test('is not fresh forever after the clock is set back', async () => {
    const { rates, clock, replies } = given(usd('100'))
    await rates.rate('btc', 'USD')
    clock.now -= 60 * MINUTE_MS
    replies[0] = 503
    expect(await rates.rate('btc', 'USD')).toBeNull()
    replies[0] = usd('200')
    expect(await rates.rate('btc', 'USD')).toMatchObject({ value: '200', at: clock.now })
  })

  test('that cannot be fetched ahead causes no error', async () => {
    const { rates, replies } = given(usd('100'))
    await rates.rate('btc', 'USD')
    replies[0] = new Error('refused')
    await rates.refresh()
    expect((await rates.rate('btc', 'USD'))?.value).toBe('100')
  })
})

describe('a failing source', () => {
  test('is logged once, again when the reason changes, and when it recovers; never with its URL', async () => {
    const { rates, clock, logged, replies } = given(503)
    const ask = async (times: number): Promise<void> => {
      for (let left = times; left > 0; left--) {
        await rates.rate('btc', 'USD')
        clock.now += MINUTE_MS
      }
    }
    await ask(3)
    replies[0] = new Error('https://a.example/rates?key=secret')
    await ask(2)
    replies[0] = usd('-1')
    await ask(2)
    replies[0] = usd('1')
    await ask(2)
    const failed = (reason: string) => ['rates.source.failed', 'warn', { source: 'a.example', reason }]
    expect(logged as unknown[]).toEqual([
      failed('responded with status 503'),
      failed('does not respond'),
      failed('has an invalid price or currency for btc in USD'),
      ['rates.source.recovered', 'info', { source: 'a.example' }],
    ])
  })
})
