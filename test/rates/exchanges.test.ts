import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assets } from '../../src/networks/assets.ts'
import { makeRates } from '../../src/rates/rates.ts'
import { rateSources } from '../../src/settings/rate-sources.ts'
import { receive } from '../outbound/servers.ts'
import { newFolder } from '../support/process.ts'
import { quickTimers } from '../support/timers.ts'

/** The prices of an exchange, by its own names. */
type Prices = Record<string, string>

const json = (body: unknown, status = 200) => Response.json(body as object, { status })

/** Each responds like the real exchange: one unknown pair makes it refuse the whole request. */
const answers = {
  kraken(url: URL, prices: Prices) {
    if (url.pathname !== '/0/public/Ticker') return json({ error: ['EGeneral:Unknown method'] }, 404)
    const asked = url.searchParams.get('pair')?.split(',') ?? Object.keys(prices)
    if (asked.some(pair => !(pair in prices))) return json({ error: ['EQuery:Unknown asset pair'] })
    const tickers = asked.map(pair => [
      pair,
      { a: [prices[pair], '1', '1.000'], b: [prices[pair], '1', '1.000'] },
    ])
    return json({ error: [], result: Object.fromEntries(tickers) })
  },
  coinbase(url: URL, rates: Prices) {
    if (url.pathname !== '/v2/exchange-rates') return json({ errors: [{ id: 'not_found' }] }, 404)
    return json({ data: { currency: url.searchParams.get('currency'), rates } })
  },
  binance(url: URL, prices: Prices) {
    if (url.pathname !== '/api/v3/ticker/bookTicker') return json({ code: -1100, msg: 'Illegal.' }, 404)
    const asked: string[] = JSON.parse(url.searchParams.get('symbols') ?? JSON.stringify(Object.keys(prices)))
    if (asked.some(symbol => !(symbol in prices))) return json({ code: -1121, msg: 'Invalid symbol.' }, 400)
    return json(asked.map(symbol => ({ symbol, bidPrice: prices[symbol], askPrice: prices[symbol] })))
  },
  /** A test names a price "bitcoin usd". */
  coingecko(url: URL, prices: Prices, seconds: number) {
    if (url.pathname !== '/api/v3/simple/price') return json({ error: 'Incorrect path' }, 404)
    const list = (name: string) => url.searchParams.get(name)?.split(',') ?? []
    const rows = list('ids').map(id => {
      const known = list('vs_currencies').filter(unit => prices[`${id} ${unit}`] !== undefined)
      const costs = known.map(unit => `"${unit}": ${prices[`${id} ${unit}`]}`)
      return `"${id}": {${[...costs, `"last_updated_at": ${seconds}`]}}`
    })
    return new Response(`{${rows}}`, { headers: { 'content-type': 'application/json' } })
  },
}

type Exchange = keyof typeof answers

/** A simulated exchange over HTTP. Its prices can be changed, and its whole response replaced. */
function stand(name: Exchange, prices: Prices) {
  const says: { prices: Prices; instead: (() => Response | Promise<Response>) | null; seenAt: () => number } =
    {
      prices,
      instead: null,
      seenAt: () => 0,
    }
  const server = receive(request =>
    says.instead
      ? says.instead()
      : answers[name](new URL(request.url), says.prices, Math.floor(says.seenAt() / 1000)),
  )
  const base = `http://127.0.0.1:${server.port}${name === 'coingecko' ? '/api/v3' : ''}`
  return { ...server, says, base }
}

const MINUTE_MS = 60_000
const directory = newFolder()
const path = join(directory, 'rates.json')

const krakenFiat = {
  EURUSD: '1.25',
  GBPUSD: '1.3',
  AUDUSD: '0.65',
  USDCAD: '1.4',
  USDCHF: '0.8',
  USDJPY: '150',
}
const krakenCoins: Prices = {
  XBTUSD: '60000',
  LTCUSD: '80',
  XDGUSD: '0.16',
  BCHUSD: '400',
  ZECUSD: '40',
  XMRUSD: '160',
  TRXUSD: '0.3',
  SOLUSD: '150',
  ETHUSD: '3000',
  POLUSD: '0.5',
  BNBUSD: '600',
  USDCUSD: '0.9999',
  USDTUSD: '0.998',
}
const coinbaseRates = { BTC: '0.0000166', ETH: '0.00033', USDC: '1.0', USDT: '1.002', EUR: '0.8', INR: '85' }
const binancePrices: Prices = Object.fromEntries(
  Object.entries({
    BTC: 60200,
    LTC: 80,
    DOGE: 0.16,
    BCH: 400,
    ZEC: 40,
    TRX: 0.3,
    SOL: 150,
    ETH: 3010,
    POL: 0.5,
  })
    .concat(Object.entries({ BNB: 600, USDC: 1.001, EUR: 1.252 }))
    .map(([coin, price]) => [`${coin}USDT`, String(price)]),
)
const coingeckoPrices = {
  'bitcoin usd': '60060.123456789012',
  'bitcoin eur': '48000',
  'bitcoin inr': '5105110.5',
  'tether usd': '0.999',
  'usd-coin usd': '0.9998',
  'dogecoin usd': '1.6e-1',
}

const kraken = stand('kraken', {})
const coinbase = stand('coinbase', {})
const binance = stand('binance', {})
const coingecko = stand('coingecko', {})
const all = { kraken, coinbase, binance, coingecko }
afterAll(() => {
  for (const { close } of Object.values(all)) close()
})

beforeEach(() => {
  for (const { says, received } of Object.values(all)) {
    says.instead = null
    received.length = 0
  }
  kraken.says.prices = { ...krakenCoins, ...krakenFiat }
  coinbase.says.prices = coinbaseRates
  binance.says.prices = binancePrices
  coingecko.says.prices = coingeckoPrices
})

function given(list: string, moreAssets: { id: string; ticker: string }[] = []) {
  const clock = { now: 1_700_000_000_000 }
  const logged: object[] = []
  const timers = quickTimers()
  coingecko.says.seenAt = () => clock.now
  const rates = makeRates({
    sources: rateSources(list),
    assets: [...assets, ...moreAssets],
    fetch: (url, init) => fetch(url, init),
    readFile: file => readFile(file, 'utf8'),
    now: () => clock.now,
    baseUrls: {
      kraken: kraken.base,
      coinbase: `${coinbase.base}/`,
      binance: binance.base,
      coingecko: `${coingecko.base}?x_cg_demo_api_key=S3CRET`,
    },
    log: {
      debug: () => {},
      info: fields => logged.push(fields),
      warn: fields => logged.push(fields),
      error: () => {},
    },
    signalAfter: timers.signalAfter,
  })
  const value = async (assetId: string, currency = 'USD') => (await rates.rate(assetId, currency))?.value
  return { rates, clock, logged, value, timers }
}

const allExchanges = 'kraken,coinbase,binance,coingecko'

describe('there is no rate', () => {
  test('from two exchanges more than 2 % apart', async () => {
    kraken.says.prices.XBTUSD = '58000'
    expect(await given('kraken,coinbase').value('btc')).toBeUndefined()
  })

  test('for a coin that only one of several exchanges lists, nor for one that none lists', async () => {
    const { value } = given('kraken,coinbase', [{ id: 'ethereum/shib', ticker: 'SHIB' }])
    expect(await value('xmr')).toBeUndefined()
    expect(await value('ethereum/shib')).toBeUndefined()
  })

  test('in a currency that only one of several exchanges lists, or that two price differently', async () => {
    expect(await given('kraken,coinbase').value('btc', 'INR')).toBeUndefined()
    coinbase.says.prices = { ...coinbaseRates, EUR: '0.9' }
    expect(await given('kraken,coinbase').value('btc', 'EUR')).toBeUndefined()
  })

  test('from tethers if the only source of their price is far from a dollar', async () => {
    kraken.says.prices = { ...krakenCoins, ...krakenFiat, XBTUSD: '30000', USDTUSD: '0.5' }
    expect(await given('kraken,binance').value('btc')).toBeUndefined()
  })

  test('for tethers from the exchange that prices everything in them', async () => {
    expect(await given('kraken,binance').value('ethereum/usdt')).toBeUndefined()
  })

  test('from an exchange that sends too large a response', async () => {
    coinbase.says.instead = () =>
      new Response(`{"data": {"currency": "USD", "rates": {${' '.repeat(5_000_000)}}}}`)
    const { value, logged } = given('coinbase')
    expect(await value('btc')).toBeUndefined()
    expect(logged).toEqual([{ source: 'coinbase', reason: 'sent a response of more than 4 MiB' }])
  })
})

describe('a rate', () => {
  test('is the median of all, with one request to each', async () => {
    const { rates, clock } = given(allExchanges)
    const asked = ['btc', 'ethereum/eth', 'ethereum/usdc', 'btc'].map(id => rates.rate(id, 'USD'))
    const [btc] = await Promise.all(asked)
    // 60000; 1 / 0.0000166; 60200 tethers of 1 / 1.002, the median of three; 60060.12…
    expect(btc).toEqual({
      value: '60069.9818880751447',
      currency: 'USD',
      sources: allExchanges.split(','),
      at: clock.now,
    })
    expect(Object.values(all).map(({ received }) => received.length)).toEqual([1, 1, 1, 1])
    expect(coingecko.received[0]?.path).toContain('x_cg_demo_api_key=S3CRET&ids=')
  })

  test('from a single exchange is used', async () => {
    const { value } = given('kraken')
    expect([await value('xmr'), await value('btc', 'EUR'), await value('bitcoincash', 'JPY')]).toEqual([
      '160',
      '48000',
      '60000',
    ])
  })

  test('uses two exchanges when one of three fails, and names both', async () => {
    coinbase.says.instead = () => new Response('Bad gateway', { status: 502 })
    const { rates, logged } = given('kraken,coinbase,coingecko')
    expect(await rates.rate('btc', 'USD')).toMatchObject({
      value: '60030.061728394506',
      sources: ['kraken', 'coingecko'],
    })
    expect(logged).toEqual([{ source: 'coinbase', reason: 'responded with status 502' }])
  })

  test('is not changed by one wrong price', async () => {
    kraken.says.prices.XBTUSD = '6000000'
    expect(await given('kraken,coinbase,coingecko').value('btc')).toBe('60240.9638554216867')
  })

  test('in tethers is converted at the price of tethers on the other exchanges', async () => {
    const { rates } = given('kraken,binance')
    // The mean of 60000 and 60200 * 0.998.
    expect(await rates.rate('btc', 'USD')).toMatchObject({ value: '60039.8', sources: ['kraken', 'binance'] })
  })

  test('in a currency is the price in dollars, divided by the price of the currency that two confirm', async () => {
    const { rates } = given('kraken,coinbase,binance,coingecko')
    // Dollars for a euro: 1.25, 1 / 0.8, 1.252 / 1.002 and 60060.12… / 48000, so 1.25 in the middle.
    expect((await rates.rate('btc', 'EUR'))?.value).toBe('48055.9855104601157')
    expect(await rates.rate('btc', 'INR')).toMatchObject({
      value: '5105948.46357336091',
      sources: allExchanges.split(','),
    })
    expect(await rates.rate('xmr', 'INR')).toBeNull()
  })

  test('in a currency that the coin’s sources lack names the sources of the currency too', async () => {
    coingecko.says.prices = { ...coingeckoPrices, 'monero usd': '160' }
    const xmr = await given('kraken,coinbase,coingecko').rates.rate('xmr', 'INR')
    expect(xmr?.sources).toEqual(['kraken', 'coinbase', 'coingecko'])
  })

  test('is found by the ticker of an asset that the operator added', async () => {
    const own = { id: 'avalanche/usdc.e', ticker: 'USDC' }
    expect(await given('kraken', [own]).value(own.id)).toBe('0.9999')
  })
})

describe('a file beside exchanges', () => {
  const beside = async (table: object, places: string, moreAssets: { id: string; ticker: string }[] = []) => {
    await writeFile(path, JSON.stringify(table))
    return given(`${places},file:${path}`, moreAssets)
  }

  test('is one of the sources', async () => {
    const table = { btc: { USD: '60000' }, xmr: { USD: '161' }, ltc: { USD: '99' } }
    const { value } = await beside(table, 'kraken,coinbase')
    expect(await value('btc')).toBe('60000')
    expect(await value('xmr')).toBe('160.5')
    expect(await value('ltc')).toBeUndefined()
  })

  test('is not enough for a coin that an exchange may list, if the exchange does not answer', async () => {
    kraken.says.instead = () => new Response('', { status: 503 })
    const { value } = await beside({ btc: { USD: '60000' } }, 'kraken')
    expect(await value('btc')).toBeUndefined()
  })

  test('is enough for a coin and a currency that no exchange lists', async () => {
    const own = { id: 'ethereum/shop', ticker: 'SHOP' }
    const { value } = await beside({ shop: { USD: '2' }, INR: { USD: '0.0125' } }, 'kraken,binance', [own])
    expect([await value(own.id), await value(own.id, 'INR')]).toEqual(['2', '160'])
    expect(Number(await value('btc', 'INR'))).toBe(60039.8 * 80)
  })

  test('is not enough beside a URL, which may list any coin', async () => {
    const { value } = await beside({ shop: { USD: '2' } }, `${coinbase.base}/rates`)
    expect(await value('ethereum/shop')).toBeUndefined()
  })
})

describe('an exchange', () => {
  test('that dropped a pair gets a request for its full list', async () => {
    for (const [place, pair] of [
      [kraken, 'POLUSD'],
      [binance, 'POLUSDT'],
    ] as const) {
      const { [pair]: _, ...rest } = place.says.prices
      place.says.prices = rest
    }
    const { value } = given('kraken,binance')
    expect(await value('btc')).toBe('60039.8')
    expect(await value('polygon/pol')).toBeUndefined()
    expect(kraken.received.map(({ path }) => path.split('=')[0])).toEqual([
      '/0/public/Ticker?pair',
      '/0/public/Ticker',
    ])
    expect(binance.received.length).toBe(2)
  })

  test.each([
    ['kraken', () => Response.json({ error: ['EGeneral:Too many requests'] })],
    ['coingecko', () => new Response('{"status":{"error_code":429}}', { status: 429 })],
    ['binance', () => new Response('{"code":-1003}', { status: 418, headers: { 'Retry-After': '60' } })],
  ] as const)(
    '%s that answers "too many requests" gets a pause, and its last prices are used',
    async (name, refusal) => {
      const { value, clock, logged } = given(name === 'kraken' ? 'kraken,coingecko' : `kraken,${name}`)
      const first = await value('btc')
      const { received, says } = all[name]
      says.instead = refusal
      clock.now += MINUTE_MS
      expect(await value('btc')).toBe(first)
      expect(received.length).toBe(2)
      clock.now += MINUTE_MS - 1
      expect(await value('btc')).toBe(first)
      expect(received.length).toBe(2)
      says.instead = null
      clock.now += 1
      expect(await value('btc')).toBe(first)
      expect(received.length).toBe(3)
      expect(logged.length).toBe(2)
    },
  )

  test('that names the length of its pause gets that pause, up to a limit; others do not', async () => {
    const { rates, clock } = given('kraken,coinbase')
    for (const [wordsAt, restMs] of [
      [() => '600', 10 * MINUTE_MS],
      [(now: number) => new Date(now + 20 * MINUTE_MS).toUTCString(), 20 * MINUTE_MS],
      [() => '999999999', 60 * MINUTE_MS],
    ] as const) {
      const words = wordsAt(clock.now)
      kraken.received.length = 0
      coinbase.received.length = 0
      kraken.says.instead = () => new Response('', { status: 429, headers: { 'Retry-After': words } })
      await rates.rate('btc', 'USD')
      clock.now += restMs - 1
      await rates.rate('btc', 'USD')
      expect([kraken.received.length, coinbase.received.length]).toEqual([1, 2])
      kraken.says.instead = null
      clock.now += 1
      await rates.rate('btc', 'USD')
      expect(kraken.received.length).toBe(2)
      clock.now += MINUTE_MS
    }
    expect(clock.now % 1000).toBe(0)
  })

  test('that keeps refusing without a length gets longer and longer pauses', async () => {
    const { rates, clock } = given('kraken,coinbase')
    kraken.says.instead = () => new Response('', { status: 429 })
    for (let minute = 0; minute < 64; minute++) {
      await rates.rate('btc', 'USD')
      clock.now += MINUTE_MS
    }
    // The pauses are 1, 2, 4, 8 and 16 minutes, then 16 minutes again.
    expect(kraken.received.length).toBe(8)
    kraken.says.instead = null
    clock.now += 16 * MINUTE_MS
    await rates.rate('btc', 'USD')
    // Once the source has answered, its next pause is short again.
    kraken.says.instead = () => new Response('', { status: 429 })
    for (let minute = 0; minute < 2; minute++) {
      clock.now += MINUTE_MS
      await rates.rate('btc', 'USD')
    }
    expect(kraken.received.length).toBe(11)
  })

  test('that is slow delays a request only once, and is logged', async () => {
    kraken.says.instead = async () => {
      await Bun.sleep(20_000)
      return new Response('')
    }
    const { value, clock, logged, timers } = given('kraken,coinbase,coingecko')
    timers.speed = 10
    expect(await value('btc')).toBe('60150.5436561053493')
    expect(timers.asked).toEqual([5_000, 5_000, 5_000])
    clock.now += 29_000
    const asked = kraken.received.length
    expect(await value('btc')).toBe('60150.5436561053493')
    expect(kraken.received.length).toBe(asked)
    expect(logged).toEqual([{ source: 'kraken', reason: 'does not respond' }])
  })

  test('that is unavailable is used for five more minutes, then no longer, and again after it recovers', async () => {
    const { rates, clock, logged } = given('kraken,coinbase')
    const startedAt = clock.now
    expect(await rates.rate('btc', 'EUR')).toMatchObject({ at: startedAt })
    kraken.says.instead = () => new Response('', { status: 503 })
    clock.now += 5 * MINUTE_MS
    expect(await rates.rate('btc', 'EUR')).toMatchObject({ at: startedAt, sources: ['kraken', 'coinbase'] })
    clock.now += 1
    expect(await rates.rate('btc', 'EUR')).toBeNull()
    kraken.says.instead = null
    expect(await rates.rate('btc', 'EUR')).toMatchObject({ at: clock.now - 1 })
    expect(logged).toEqual([{ source: 'kraken', reason: 'responded with status 503' }, { source: 'kraken' }])
  })

  test('that reports old prices is not used, and a rate is as old as its oldest price', async () => {
    const { rates, clock } = given('kraken,coingecko')
    coingecko.says.seenAt = () => clock.now - 2 * MINUTE_MS
    expect(await rates.rate('btc', 'USD')).toMatchObject({ at: clock.now - 2 * MINUTE_MS })
    coingecko.says.seenAt = () => 1_700_000_000_000 - 2 * MINUTE_MS
    clock.now += 3 * MINUTE_MS
    expect(await rates.rate('btc', 'USD')).not.toBeNull()
    clock.now += 1
    expect(await rates.rate('btc', 'USD')).toBeNull()
    coingecko.says.seenAt = () => clock.now + 60 * MINUTE_MS
    clock.now += MINUTE_MS
    expect(await rates.rate('btc', 'USD')).toMatchObject({ at: clock.now })
    const alone = given('coingecko')
    coingecko.says.seenAt = () => alone.clock.now + 60 * MINUTE_MS
    expect(await alone.rates.rate('btc', 'USD')).toMatchObject({ at: alone.clock.now })
  })

  test('is never logged with its URL, which may hold a key', async () => {
    for (const instead of [() => new Response('', { status: 401 }), () => new Response('<S3CRET>')]) {
      coingecko.says.instead = instead
      const { value, logged } = given('coingecko')
      expect(await value('btc')).toBeUndefined()
      expect(logged.length).toBe(1)
      expect(JSON.stringify(logged)).not.toContain('S3CRET')
    }
  })
})
