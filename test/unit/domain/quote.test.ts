import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Asset } from '../../../src/domain/asset.ts'
import {
  isLowerRate,
  isRateValue,
  LOCK_MS,
  moneyAbove,
  moneyBelow,
  quote,
  quoteStep,
  shareOf,
  VALUE_UNIT,
  WATCH_MS,
} from '../../../src/domain/quote.ts'
import { grid } from './given.ts'

const asset = (decimals: number, quoteDecimals: number) => ({ decimals, quoteDecimals }) as Asset

test('a quoted amount holds for 30 minutes, and its address is watched for 7 days', () => {
  expect([LOCK_MS, WATCH_MS]).toEqual([1_800_000, 604_800_000])
})

describe('a rate', () => {
  test.each([
    '1',
    '01',
    '0.1',
    '0.000000000000000000000000000001',
    '60000.50',
    '9'.repeat(30),
    `${'9'.repeat(30)}.${'9'.repeat(30)}`,
  ])('can be written as %s', text => {
    expect(isRateValue(text)).toBe(true)
  })
  test.each([
    '',
    '0',
    '00',
    '0.0',
    '-1',
    '+1',
    '1e3',
    '1.',
    '.5',
    ' 1',
    '1 ',
    '1\n',
    '1,5',
    '1.2.3',
    '0x1',
    'NaN',
    'Infinity',
    '١',
    '9'.repeat(31),
    `1.${'9'.repeat(31)}`,
  ])('cannot be written as %j', text => {
    expect(isRateValue(text)).toBe(false)
  })
})

test.each([
  ['1.2', '1.5'],
  ['0.9', '1'],
  ['99.99', '100'],
  ['3000', '3000.01'],
])('a rate of %s is lower than one of %s', (lower, higher) => {
  expect([isLowerRate(lower, higher), isLowerRate(higher, lower)]).toEqual([true, false])
})

test.each([
  ['a cent', VALUE_UNIT, '0.01', '0.01'],
  ['a little more than a cent', VALUE_UNIT + 1n, '0.01', '0.02'],
  ['a little more than nothing', 1n, '0.00', '0.01'],
  ['nothing', 0n, '0.00', '0.00'],
])(
  '%s is rounded up as a missing amount, and rounded down as a received amount',
  (_, value, arrived, missing) => {
    const of = { currency: 'EUR' }
    expect([moneyBelow(value, of), moneyAbove(value, of)]).toEqual([arrived, missing])
  },
)

test('a rate whose value changes quotes the new value', () => {
  const rate = { value: '100' }
  const coin = asset(8, 8)
  expect(quote('25.00', 'USD', rate, coin)).toBe(25_000_000n)
  rate.value = '50'
  expect(quote('25.00', 'USD', rate, coin)).toBe(50_000_000n)
})

test('a rate that is used for many amounts, coins and currencies quotes each like a rate that is used once', () => {
  const rate = { value: '61234.567', currency: 'USD', sources: [], at: 0 }
  const coins = [asset(8, 8), asset(18, 6)]
  // More quotes than the cache keeps, requested twice.
  for (const round of [1, 2]) {
    for (let cents = 0; cents < 250; cents++) {
      const amount = `${cents}.${String(cents % 100).padStart(2, '0')}`
      for (const coin of coins) {
        for (const currency of ['USD', 'BHD']) {
          const price = currency === 'BHD' ? `${amount}0` : amount
          const at = [round, price, currency, coin]
          expect([...at, quote(price, currency, rate, coin)]).toEqual([
            ...at,
            quote(price, currency, { ...rate }, coin),
          ])
        }
      }
    }
  }
})

test.each<[decimals: number, quoteDecimals: number, step: bigint]>([
  [0, 0, 1n],
  [6, 6, 1n],
  [8, 8, 1n],
  [12, 8, 10_000n],
  [18, 8, 10_000_000_000n],
  [18, 6, 1_000_000_000_000n],
  [18, 0, 1_000_000_000_000_000_000n],
])('a step of %p decimals quoted to %p decimals is %p', (decimals, quoteDecimals, step) => {
  expect(quoteStep(asset(decimals, quoteDecimals))).toBe(step)
})

describe('the price of an order in an asset, by rate and precision', () => {
  const assets: Record<string, Asset> = {
    '6 of 6': asset(6, 6),
    '8 of 8': asset(8, 8),
    '12 of 8': asset(12, 8),
    '18 of 6': asset(18, 6),
  }
  test.each(
    grid(`
    price at rate              | 6 of 6 | 8 of 8 | 12 of 8 | 18 of 6
    0.01 USD at 1              | 10000 | 1000000 | 10000000000 | 10000000000000000
    0.01 USD at 3              | 3334 | 333334 | 3333340000 | 3334000000000000
    0.01 USD at 60000          | 1 | 17 | 170000 | 1000000000000
    0.01 USD at 100000000      | 1 | 1 | 10000 | 1000000000000
    0.01 USD at 0.5            | 20000 | 2000000 | 20000000000 | 20000000000000000
    0.01 USD at 0.03           | 333334 | 33333334 | 333333340000 | 333334000000000000
    25.00 USD at 1             | 25000000 | 2500000000 | 25000000000000 | 25000000000000000000
    25.00 USD at 1.0001        | 24997501 | 2499750025 | 24997500250000 | 24997501000000000000
    25.00 USD at 60000         | 417 | 41667 | 416670000 | 417000000000000
    25.00 USD at 62500         | 400 | 40000 | 400000000 | 400000000000000
    25.00 USD at 62499.999999  | 401 | 40001 | 400010000 | 401000000000000
    25.00 USD at 62500.000001  | 400 | 40000 | 400000000 | 400000000000000
    25.00 USD at 062500.00     | 400 | 40000 | 400000000 | 400000000000000
    100 JPY at 9000000         | 12 | 1112 | 11120000 | 12000000000000
    1 JPY at 1                 | 1000000 | 100000000 | 1000000000000 | 1000000000000000000
    0.001 KWD at 1             | 1000 | 100000 | 1000000000 | 1000000000000000
    0.001 KWD at 30000         | 1 | 4 | 40000 | 1000000000000
    1.234 KWD at 2             | 617000 | 61700000 | 617000000000 | 617000000000000000
    999999999999999999.99 USD at 1 | 999999999999999999990000 | 99999999999999999999000000 | 999999999999999999990000000000 | 999999999999999999990000000000000000
    999999999999999999.99 USD at 3 | 333333333333333333330000 | 33333333333333333333000000 | 333333333333333333330000000000 | 333333333333333333330000000000000000
    999999999999999999.99 USD at 7 | 142857142857142857141429 | 14285714285714285714142858 | 142857142857142857141428580000 | 142857142857142857141429000000000000
  `),
  )('$row, $column: $cell', ({ row, column, cell }) => {
    const [amount = '', currency = '', , rate = ''] = row.split(' ')
    expect(quote(amount, currency, { value: rate }, assets[column]!)).toBe(BigInt(cell))
  })

  test('has no quote for a currency that is not accepted, or for an invalid rate', () => {
    expect(() => quote('1', 'XXX', { value: '1' }, asset(8, 8))).toThrow()
    for (const rate of ['', '-1', '1e3', 'x'])
      expect(() => quote('1.00', 'USD', { value: rate }, asset(8, 8))).toThrow()
  })

  const cents = fc.bigInt({ min: 1n, max: 10n ** 20n - 1n })
  const rates = fc.bigInt({ min: 1n, max: 10n ** 15n })
  const coins = fc
    .integer({ min: 0, max: 18 })
    .chain(decimals => fc.integer({ min: 0, max: decimals }).map(places => asset(decimals, places)))
  const dollars = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`

  test('is never cheaper for a higher price, and never dearer at a higher rate', () => {
    fc.assert(
      fc.property(cents, cents, rates, rates, coins, (a, b, r, s, coin) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        const [low, high] = r < s ? [r, s] : [s, r]
        const at = (price: bigint, rate: bigint) =>
          quote(dollars(price), 'USD', { value: String(rate) }, coin)
        expect(at(less, low) <= at(more, low)).toBe(true)
        expect(at(less, high) <= at(less, low)).toBe(true)
      }),
    )
  })

  test('is never zero', () => {
    fc.assert(
      fc.property(cents, rates, coins, (price, rate, coin) => {
        expect(quote(dollars(price), 'USD', { value: String(rate) }, coin) > 0n).toBe(true)
      }),
    )
  })
})

describe('the share that suffices, rounded up', () => {
  test.each(
    grid(`
    due                | 1 | 500000 | 850000 | 999999 | 1000000
    0                  | 0 | 0 | 0 | 0 | 0
    1                  | 1 | 1 | 1 | 1 | 1
    2                  | 1 | 1 | 2 | 2 | 2
    3                  | 1 | 2 | 3 | 3 | 3
    20                 | 1 | 10 | 17 | 20 | 20
    1000               | 1 | 500 | 850 | 1000 | 1000
    1000000            | 1 | 500000 | 850000 | 999999 | 1000000
    1000001            | 2 | 500001 | 850001 | 1000000 | 1000001
    999999999999999999 | 1000000000000 | 500000000000000000 | 850000000000000000 | 999999000000000000 | 999999999999999999
  `),
  )('$column millionths of $row: $cell', ({ row, column, cell }) => {
    expect(shareOf(BigInt(row), BigInt(column))).toBe(BigInt(cell))
  })

  test('is at least the share, by less than one unit, and never more than the whole', () => {
    const dues = fc.bigInt({ min: 0n, max: 10n ** 30n })
    const shares = fc.bigInt({ min: 1n, max: 1_000_000n })
    fc.assert(
      fc.property(dues, shares, (due, millionths) => {
        const enough = shareOf(due, millionths)
        expect(enough * 1_000_000n >= due * millionths).toBe(true)
        expect((enough - 1n) * 1_000_000n < due * millionths).toBe(true)
        expect(enough <= due).toBe(true)
      }),
    )
  })
})

test('a quote never belongs to another price, currency, rate or coin', () => {
  const prices = [
    ['25', 'USD', 100n],
    ['25', 'JPY', 1n],
    ['25', 'KWD', 1000n],
    ['2', 'USD', 100n],
    ['2.50', 'USD', 1n],
  ] as const
  const coins = [asset(8, 8), asset(18, 8), asset(18, 18), asset(1, 1)]
  const asked = prices.flatMap(price =>
    ['1', '7', '71'].flatMap(rate => coins.map(coin => ({ price, rate, coin }))),
  )
  for (const list of [asked, asked.toReversed()]) {
    for (const { price, rate, coin } of list) {
      const [amount, currency, scale] = price
      const minor = BigInt(amount.replace('.', '')) * scale
      const unit = BigInt(rate) * (currency === 'JPY' ? 1n : currency === 'KWD' ? 1000n : 100n)
      const divisor = unit * quoteStep(coin)
      const steps = (minor * 10n ** BigInt(coin.decimals) + divisor - 1n) / divisor
      expect(quote(amount, currency, { value: rate }, coin)).toBe(steps * quoteStep(coin))
    }
  }
})
