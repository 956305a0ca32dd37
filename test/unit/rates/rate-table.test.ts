import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Asset } from '../../../src/domain/asset.ts'
import { quote } from '../../../src/domain/quote.ts'
import * as rates from '../../../src/rates/compute-rate.ts'
import { readRateTable } from '../../../src/rates/rate-table.ts'

const file = { name: 'file', isOperatorFile: true, lists: () => true }

function computeRate(table: unknown, assetId: string, currency: string): string | null {
  const text = typeof table === 'string' ? table : JSON.stringify(table)
  const received = [{ source: file, table: readRateTable(text), fetchedAt: 0 }]
  const names = [assetId, assetId.slice(assetId.indexOf('/') + 1)]
  return rates.computeRate(names, currency, { sources: [file], received, now: 0 })?.value ?? null
}

describe('a table of the wrong shape is refused', () => {
  test.each(['', 'USD', '{"btc": {"USD": 1}', '{"btc": {"USD": 01}}', '{"btc": {"USD": NaN}}'])(
    'not JSON: %s',
    text => {
      expect(() => readRateTable(text)).toThrow('is not JSON')
    },
  )

  test.each(['[]', 'null', '1', '"btc"', '{"btc": "60000"}', '{"btc": 1}', '{"btc": null}', '{"btc": [1]}'])(
    'not an object of objects: %s',
    text => {
      expect(() => readRateTable(text)).toThrow('must be a JSON object of objects')
    },
  )
})

describe('an entry that is not a rate is left out and reported', () => {
  const entries = [
    '0',
    '0.000',
    '-1',
    '-0',
    '1e3',
    '1E-3',
    '"0"',
    '"0.0"',
    '"-1"',
    '"+1"',
    '"1e3"',
    '"1,5"',
    '".5"',
    '"5."',
    '" 1"',
    '""',
    '"1/3"',
    '"Infinity"',
    '"0x10"',
    'null',
    'true',
    '{}',
    '["1"]',
    `"1${'0'.repeat(30)}"`,
    `"0.${'0'.repeat(30)}1"`,
  ]

  test.each(entries)('%s', entry => {
    const text = `{"btc": {"USD": ${entry}, "EUR": 2}}`
    expect(readRateTable(text).problems).toEqual(['has an invalid price or currency for btc in USD'])
    expect(computeRate(text, 'btc', 'USD')).toBeNull()
    expect(computeRate(text, 'btc', 'EUR')).toBe('2')
  })

  test.each(['usd', 'XAU', 'XTS', 'ABC', 'USDT', '__proto__', ''])(
    'of the unknown currency "%s"',
    currency => {
      const table = readRateTable(`{"btc": {"${currency}": "1", "USD": "2"}}`)
      expect(table.problems).toEqual([`has an invalid price or currency for btc in ${currency}`])
    },
  )
})

describe('there is no rate', () => {
  const table = {
    btc: { USD: '60000' },
    'ethereum/usdc': { USD: '1' },
    EUR: { USD: '1.08' },
    GBP: { EUR: '1' },
  }

  test.each([
    ['of an asset that is not listed', 'ltc', 'USD'],
    ['of a ticker that is listed on another chain only', 'polygon/usdc', 'USD'],
    ['of a chain whose name is not a ticker', 'ethereum/eth', 'USD'],
    ['in a currency without a cross rate', 'btc', 'JPY'],
    ['in a currency whose cross rate is not in dollars', 'btc', 'GBP'],
    ['in an unknown currency', 'btc', 'ABC'],
    ['of a property that every object has', 'constructor', 'USD'],
    ['in a property that every object has', 'btc', 'toString'],
  ])('%s', (_name, assetId, currency) => {
    expect(computeRate(table, assetId, currency)).toBeNull()
  })

  test('if its price is too small to be written', () => {
    const small = { btc: { USD: `0.${'0'.repeat(29)}1` }, EUR: { USD: '3' } }
    expect(computeRate(small, 'btc', 'EUR')).toBeNull()
  })
})

describe('a rate', () => {
  test('is found by the asset first, then by the ticker', () => {
    const table = {
      'ethereum/usdc': { USD: '1.01' },
      usdc: { USD: '0.99' },
      eth: { USD: '3000' },
      btc: { USD: '6' },
    }
    expect(computeRate(table, 'ethereum/usdc', 'USD')).toBe('1.01')
    expect(computeRate(table, 'polygon/usdc', 'USD')).toBe('0.99')
    expect(computeRate(table, 'ethereum/eth', 'USD')).toBe('3000')
    expect(computeRate(table, 'btc', 'USD')).toBe('6')
  })

  test('keeps every digit of a JSON number that a float would change', () => {
    const digits = [
      ...['0.1000000000000000055511151231', '123456789012345678901234567890.5', '9007199254740993'],
      '55000.50',
    ]
    for (const number of digits) {
      const rate = computeRate(`{"btc": {"USD": ${number}}}`, 'btc', 'USD')
      expect(rate).toBe(number.replace('.50', '.5'))
    }
  })

  test('is converted through the dollar if its own currency is missing, with 18 digits, rounded down', () => {
    const table = {
      btc: { USD: '60000', EUR: '55000.5' },
      doge: { USD: '0.2' },
      EUR: { USD: '1.08' },
      JPY: { USD: '0.0067' },
    }
    expect(computeRate(table, 'btc', 'EUR')).toBe('55000.5')
    expect(computeRate(table, 'doge', 'EUR')).toBe('0.185185185185185185')
    expect(computeRate(table, 'btc', 'JPY')).toBe('8955223.88059701492')
    expect(computeRate(table, 'doge', 'JPY')).toBe('29.8507462686567164')
  })

  test('has 18 digits, however small or large it is', () => {
    expect(computeRate({ a: { USD: '0.00000001' }, KWD: { USD: '3' } }, 'a', 'KWD')).toBe(
      '0.00000000333333333333333333',
    )
    expect(computeRate({ a: { USD: `2${'0'.repeat(24)}` }, KWD: { USD: '3' } }, 'a', 'KWD')).toBe(
      '6'.repeat(24),
    )
  })
})

test('a quote converted through the dollar is never below the exact price, and at most one step above it', () => {
  const decimal = (max: bigint, places: number) =>
    fc
      .tuple(fc.bigInt({ min: 1n, max }), fc.integer({ min: 0, max: places }))
      .map(([units, scale]) => ({ units, scale: 10n ** BigInt(scale), text: textOf(units, scale) }))
  const asset = (decimals: number, quoteDecimals: number): Asset =>
    ({ id: 'x', decimals, quoteDecimals }) as Asset

  fc.assert(
    fc.property(
      decimal(10n ** 12n, 10),
      decimal(10n ** 7n, 6),
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.constantFrom([18, 8], [8, 8], [6, 6], [6, 2]),
      (inDollars, dollars, minor, [decimals, quoteDecimals]) => {
        const rate = computeRate({ x: { USD: inDollars.text }, EUR: { USD: dollars.text } }, 'x', 'EUR')
        const atomic = quote(textOf(minor, 2), 'EUR', { value: rate! }, asset(decimals!, quoteDecimals!))
        // price / (inDollars / dollars), as a fraction of atomic units
        const above = minor * dollars.units * inDollars.scale * 10n ** BigInt(decimals!)
        const below = 100n * inDollars.units * dollars.scale
        const step = 10n ** BigInt(decimals! - quoteDecimals!)
        const slack = above / 10n ** 12n + below
        expect(atomic * below >= above).toBe(true)
        expect((atomic - step) * below <= above + slack).toBe(true)
      },
    ),
    { numRuns: 2_000 },
  )
})

function textOf(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
