import { describe, expect, test } from 'bun:test'
import type { ExchangeName } from '../../../src/coins/types.ts'
import { exchanges } from '../../../src/rates/exchanges/index.ts'
import { printRate } from '../../../src/rates/fraction.ts'
import { parseJson } from '../../../src/rates/json.ts'
import type { RateTable } from '../../../src/rates/rate-table.ts'

const everything = 'btc ltc doge bch zec xmr trx sol eth pol bnb usdc usdt'.split(' ')

const read = (name: ExchangeName, body: unknown, coins = everything): RateTable =>
  exchanges[name].read(parseJson(typeof body === 'string' ? body : JSON.stringify(body)), coins)

/** The rows of a table, such as {"btc": "60000 USD"}. */
const shown = ({ rows }: RateTable): Record<string, string> =>
  Object.fromEntries(
    [...rows].map(([name, { prices }]) => [
      name,
      [...prices].map(([unit, price]) => `${printRate(price)} ${unit}`).join(),
    ]),
  )

const ticker = (ask: unknown, bid: unknown) => ({
  a: [ask, '1', '1.000'],
  b: [bid, '2', '2.000'],
  c: ['1.00000', '0.01686188'],
  v: ['1414.57420708', '1686.74719574'],
  p: ['27497.35370', '27478.05822'],
  t: [19834, 23808],
  l: ['27229.80000', '27229.80000'],
  h: ['27826.30000', '27826.30000'],
  o: '27428.20000',
})

const krakenSays = (result: unknown, error: unknown = []) => ({ error, result })

/** A good response of each exchange. */
const good: Record<ExchangeName, unknown> = {
  kraken: krakenSays({ XXBTZUSD: ticker('60000.1', '60000.0') }),
  coinbase: { data: { currency: 'USD', rates: { BTC: '0.0000166666666667' } } },
  binance: [{ symbol: 'BTCUSDT', bidPrice: '60010.01', bidQty: '1', askPrice: '60010.02', askQty: '2' }],
  coingecko: { bitcoin: { usd: 60001.5, last_updated_at: 1700000000 } },
}

const names = Object.keys(exchanges) as ExchangeName[]

describe.each(names)('a response of %s is refused', name => {
  const shapes = [
    ...['null', '[]', '{}', '"rates"', '1', 'true', '[null, 1, "x", {}]', '{"data": null, "result": []}'],
  ]

  test.each([...shapes, '{"error": [], "result": {}}', '{"data": {"currency": "USD", "rates": {}}}'])(
    'if it is %s',
    body => {
      expect(() => read(name, body)).toThrow(
        /^(did not send a response of the \w+ API|has no price for any requested coin)$/,
      )
    },
  )

  test.each(['', '<html>', '{"error":', '['.repeat(2_000_000)])('if it is not JSON', body => {
    expect(() => read(name, body)).toThrow('is not JSON')
  })

  test('if it is that of another exchange', () => {
    for (const other of names.filter(each => each !== name)) {
      expect(() => read(name, good[other])).toThrow(/did not send a response|has no price/)
    }
  })
})

const bad = [
  '0',
  '0.00000',
  '-1',
  '+1',
  '',
  ' 1',
  '1,5',
  '0x10',
  'NaN',
  'Infinity',
  '1e400',
  null,
  true,
  [],
  {},
  ['1'],
]

describe.each(bad.map(value => [JSON.stringify(value), value] as const))(
  'a price of %s is left out',
  (_, value) => {
    test.each([
      ['kraken', krakenSays({ XXBTZUSD: ticker('1', value), XETHZUSD: ticker('3001', '3000') })],
      ['coinbase', { data: { currency: 'USD', rates: { BTC: value, ETH: '0.5' } } }],
      [
        'binance',
        [
          { symbol: 'BTCUSDT', bidPrice: value, askPrice: '1' },
          { symbol: 'ETHUSDT', bidPrice: '3000', askPrice: '3001' },
        ],
      ],
      ['coingecko', { bitcoin: { usd: value }, ethereum: { usd: 3000 } }],
    ] as [ExchangeName, unknown][])('by %s, and reported', (name, body) => {
      const table = read(name, body)
      expect([...table.rows.keys()]).toEqual(['eth'])
      expect(table.problems).toEqual(['has no positive price for btc'])
    })
  },
)

describe('kraken', () => {
  test.each([
    [['EQuery:Unknown asset pair'], 'reported the error "EQuery:Unknown asset pair"'],
    [['EService:Unavailable'], 'reported the error "EService:Unavailable"'],
    [['EAPI:Rate limit exceeded'], 'reports too many requests'],
    [['EGeneral:Too many requests'], 'reports too many requests'],
    [['WSomething:Odd', 'EService:Busy'], 'reported the error "EService:Busy"'],
    [['<script>'.repeat(100)], 'reported an error'],
    [[null], 'reported the error "null"'],
    ['EService:Busy', 'did not send a response of the Kraken API'],
    [null, 'did not send a response of the Kraken API'],
  ])('that reports %j has no rates', (error, message) => {
    const body = krakenSays({ XXBTZUSD: ticker('60000.1', '60000.0') }, error)
    expect(() => read('kraken', body)).toThrow(message)
  })

  test('is read by its old and its plain names, and is asked for the pairs of the assets', () => {
    const table = read(
      'kraken',
      krakenSays({
        XXBTZUSD: ticker('60000.1', '60000.0'),
        XDGUSD: ticker('0.1601', '0.1600'),
        ETHUSD: ticker('3000.1', '3000.0'),
        USDTZUSD: ticker('0.9999', '0.9998'),
        XMRUSDX: ticker('1', '1'),
      }),
    )
    expect(shown(table)).toEqual({ btc: '60000 USD', doge: '0.16 USD', eth: '3000 USD', usdt: '0.9998 USD' })
    expect(exchanges.kraken.path(['btc', 'shib'])).toBe(
      '/0/public/Ticker?pair=XBTUSD,EURUSD,GBPUSD,AUDUSD,USDCAD,USDCHF,USDJPY',
    )
  })

  test('prices currencies by the side that makes a coin cheaper', () => {
    const table = read(
      'kraken',
      krakenSays({
        ZEURZUSD: ticker('1.0802', '1.0800'),
        ZUSDZJPY: ticker('150.02', '150.00'),
        USDCHF: ticker('0.8002', '0.8'),
      }),
    )
    expect(shown(table)).toEqual({ EUR: '1.0802 USD', JPY: '0.00666666666666666666 USD', CHF: '1.25 USD' })
  })
})

describe('coinbase', () => {
  test('is refused with prices in another currency', () => {
    const body = { data: { currency: 'EUR', rates: { BTC: '0.00002' } } }
    expect(() => read('coinbase', body)).toThrow('did not send a response of the Coinbase API')
  })

  test('prices requested coins, and currencies whose code is not the ticker of a coin', () => {
    const rates = {
      AED: '3.673',
      ALL: '90',
      BTC: '0.0000169491525424',
      ERN: '15.0',
      ETH: '0.00033333',
      EUR: '0.8',
      MNT: '0.9',
      SHIB: '80000',
      USD: '1.0',
      XMR: '0.005',
    }
    const table = read('coinbase', { data: { currency: 'USD', rates } }, ['btc', 'xmr', 'shib'])
    expect(shown(table)).toEqual({
      btc: '58999.9999999056 USD',
      AED: '0.272257010618023414 USD',
      ALL: '0.0111111111111111111 USD',
      EUR: '1.25 USD',
    })
    expect(exchanges.coinbase.path(['btc'])).toBe('/v2/exchange-rates?currency=USD')
  })
})

describe('binance', () => {
  test('prices coins by their bid in tethers and the euro by its ask, without pairs that are no longer traded', () => {
    const offer = (symbol: string, bidPrice: string, askPrice: string) => ({ symbol, bidPrice, askPrice })
    const table = read('binance', [
      offer('BTCUSDT', '60010.01000000', '60010.02000000'),
      offer('USDCUSDT', '0.99990000', '1.00000000'),
      offer('EURUSDT', '1.08000000', '1.08010000'),
      offer('ZECUSDT', '0.00000000', '0.00000000'),
      offer('XMRUSDT', '118.90000000', '119.00000000'),
      offer('BTCUSDC', '1.00000000', '1.00000000'),
    ])
    expect(shown(table)).toEqual({ btc: '60010.01 USDT', usdc: '0.9999 USDT', EUR: '1.0801 USDT' })
    expect(table.problems).toEqual(['has no positive price for zec'])
    expect(decodeURIComponent(exchanges.binance.path(['btc', 'usdt', 'xmr']))).toBe(
      '/api/v3/ticker/bookTicker?symbols=["BTCUSDT","EURUSDT"]',
    )
  })
})

describe('coingecko', () => {
  test('keeps exponents, every digit and the time of each price; Bitcoin gives the price of currencies', () => {
    const table = read(
      'coingecko',
      `{"bitcoin": {"usd": 60000.000000000001, "eur": 5e4, "jpy": 9000000, "zzz": 7, "last_updated_at": 1700000000},
        "dogecoin": {"usd": 1.6E-1, "last_updated_at": 1700000001.5}, "monero": {}, "tron": {"usd": 2.5e-05}}`,
      ['doge', 'xmr', 'trx'],
    )
    expect(shown(table)).toEqual({
      doge: '0.16 USD',
      trx: '0.000025 USD',
      EUR: '1.20000000000000002 USD',
      JPY: '0.00666666666666666677 USD',
    })
    expect([...table.rows.values()].map(({ updatedAt }) => updatedAt)).toEqual([
      undefined,
      undefined,
      1_700_000_000_000,
      1_700_000_000_000,
    ])
  })

  test('is asked once for everything', () => {
    const url = new URL(exchanges.coingecko.path(['eth', 'shib']), 'http://localhost')
    expect(url.pathname).toBe('/simple/price')
    expect(url.searchParams.get('ids')).toBe('bitcoin,ethereum')
    expect(url.searchParams.get('vs_currencies')).toMatch(/^usd,aed,.*,eur,.*,zar$/)
    expect(url.searchParams.get('precision')).toBe('full')
  })
})
