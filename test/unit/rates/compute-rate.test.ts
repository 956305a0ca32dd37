import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Asset } from '../../../src/domain/asset.ts'
import { amountOf } from '../../../src/domain/money.ts'
import { quote } from '../../../src/domain/quote.ts'
import { computeRate, type Quotes, type Source } from '../../../src/rates/compute-rate.ts'
import {
  compare,
  type Fraction,
  isNear,
  mean,
  ONE,
  over,
  readDecimal,
  times,
} from '../../../src/rates/fraction.ts'

/** The prices of one source, such as {"coin": {"USD": …}}. */
type Prices = Record<string, Record<string, Fraction>>

const source = (name: string): Source => ({ name, isOperatorFile: false, lists: () => true })

/** Quotes with these prices from each source. null is a source that did not respond. */
function quotes(prices: (Prices | null)[], sources = prices.map((_, at) => source(`source ${at}`))): Quotes {
  const received = prices.flatMap((rows, at) => {
    if (!rows) return []
    const table = Object.entries(rows).map(
      ([name, units]) => [name, { prices: new Map(Object.entries(units)) }] as const,
    )
    return [{ source: sources[at]!, table: { rows: new Map(table), problems: [] }, fetchedAt: 0 }]
  })
  return { sources, received, now: 0 }
}

const of = (text: string): Fraction => readDecimal(text)!

const fraction = (least: bigint, most: bigint) =>
  fc
    .tuple(fc.bigInt({ min: least, max: most }), fc.bigInt({ min: 1n, max: 10n ** 6n }))
    .map(([numerator, denominator]): Fraction => ({ numerator, denominator }))

/** A price within half a percent of this one. */
const about = (price: Fraction) =>
  fc.bigInt({ min: 9_975n, max: 10_025n }).map(numerator => times(price, { numerator, denominator: 10_000n }))

const coin = (decimals: number, quoteDecimals: number) => ({ decimals, quoteDecimals }) as Asset

test('a quote is never below the exact price at the medians, and at most one step above it', () => {
  const tables = fc
    .tuple(fraction(1n, 10n ** 12n), fraction(1n, 10n ** 9n), fc.integer({ min: 2, max: 5 }))
    .chain(([dollars, worth, count]) =>
      fc.array(fc.record({ coin: about(dollars), unit: about(worth) }), {
        minLength: count,
        maxLength: count,
      }),
    )
  const middle = (prices: Fraction[]): Fraction => {
    const sorted = prices.toSorted(compare)
    const half = sorted.length >> 1
    return sorted.length % 2 === 1 ? sorted[half]! : mean(sorted[half - 1]!, sorted[half]!)
  }
  fc.assert(
    fc.property(
      tables,
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.constantFrom(['EUR', 2], ['JPY', 0], ['KWD', 3], ['USD', 2] as const),
      fc.constantFrom([18, 8], [8, 8], [6, 6], [12, 8]),
      (sources, minor, [currency, places], [decimals, quoteDecimals]) => {
        const prices = sources.map(
          ({ coin, unit }): Prices =>
            currency === 'USD'
              ? { coin: { USD: coin } }
              : { coin: { USD: coin }, [currency as string]: { USD: unit } },
        )
        const rate = computeRate(['coin'], currency as string, quotes(prices))
        if (rate === null) return
        const unit = currency === 'USD' ? ONE : middle(sources.map(source => source.unit))
        const exact = over(middle(sources.map(source => source.coin)), unit)
        const asset = coin(decimals!, quoteDecimals!)
        const atomic = quote(amountOf(minor, currency as string), currency as string, rate, asset)
        // minor / 10^places / exact, in atomic units
        const above = minor * exact.denominator * 10n ** BigInt(decimals!)
        const below = exact.numerator * 10n ** BigInt(places as number)
        expect(atomic * below >= above).toBe(true)
        if (rate.value.replace(/^0[.]0*/, '').length < 18) return
        const step = 10n ** BigInt(decimals! - quoteDecimals!)
        expect((atomic - step) * below <= above + above / 10n ** 16n + below).toBe(true)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('one source with wrong prices moves no rate far, whether for the coin, the tether or the currency', () => {
  const [dollars, worth] = [of('60000'), of('1.08')]
  const maybe = (price: fc.Arbitrary<Fraction>, unit: string) =>
    fc.option(
      price.map(cost => ({ [unit]: cost })),
      { nil: {} as Record<string, Fraction>, freq: 4 },
    )
  const honest = fc.record({
    coin: fc.oneof(maybe(about(dollars), 'USD'), maybe(about(dollars), 'USDT')),
    usdt: maybe(about(ONE), 'USD'),
    EUR: fc.oneof(maybe(about(worth), 'USD'), maybe(about(worth), 'USDT')),
  })
  const anything = fc.oneof(
    fraction(1n, 10n ** 12n),
    fc.constantFrom(...['0.25', '0.5', '0.97', '0.985', '1.015', '1.03', '2', '4'].map(of)),
  )
  const lie = (truth: Fraction) => anything.map(factor => times(truth, factor))
  const liar = fc.record({
    coin: fc.oneof(maybe(lie(dollars), 'USD'), maybe(lie(dollars), 'USDT')),
    usdt: maybe(lie(ONE), 'USD'),
    EUR: fc.oneof(maybe(lie(worth), 'USD'), maybe(lie(worth), 'USDT')),
  })
  const seen = { rates: 0 }
  fc.assert(
    fc.property(
      fc.array(honest, { minLength: 1, maxLength: 4 }),
      liar,
      fc.nat(4),
      fc.constantFrom('USD', 'EUR'),
      (good, bad, place, currency) => {
        const rate = computeRate(['coin'], currency, quotes(good.toSpliced(place, 0, bad)))
        if (rate === null) return
        seen.rates += 1
        const truth = Number(currency === 'USD' ? 60000 : 60000 / 1.08)
        expect(Math.abs(Number(rate.value) / truth - 1)).toBeLessThan(0.06)
      },
    ),
    { numRuns: 5_000 },
  )
  expect(seen.rates).toBeGreaterThan(500)
})

describe('a price in tethers', () => {
  const tethers = (worth: Record<string, string>): Prices[] => [
    { coin: { USDT: of('100') } },
    ...Object.values(worth).map((price): Prices => ({ coin: { USD: of('100') }, usdt: { USD: of(price) } })),
  ]

  test.each([
    ['one source that values them at a dollar', { a: '0.99' }, '99.5'],
    ['one source that values them at 2 % less', { a: '0.9804' }, '99.02'],
    ['one source that values them at more than 2 % less', { a: '0.98' }, null],
    ['two that agree, far from a dollar', { a: '0.98', b: '0.97' }, '100'],
    ['two that do not agree', { a: '1', b: '0.97' }, '100'],
  ] as const)('beside %s', (_name, worth, value) => {
    expect(computeRate(['coin'], 'USD', quotes(tethers(worth)))?.value ?? null).toBe(value)
  })

  test('is not used if no source has a price for tethers', () => {
    expect(computeRate(['coin'], 'USD', quotes([{ coin: { USDT: of('100') } }]))).toBeNull()
  })

  test('names the sources of the price of tethers, and is as old as the oldest price', () => {
    const base = quotes([
      { coin: { USDT: of('100') } },
      { coin: { USD: of('99') } },
      { usdt: { USD: of('0.99') } },
    ])
    const received = base.received.map((one, at) => ({ ...one, fetchedAt: 1_000 - at }))
    const rate = computeRate(['coin'], 'USD', { ...base, received, now: 1_000 })
    expect(rate).toEqual({
      value: '99',
      currency: 'USD',
      sources: ['source 0', 'source 1', 'source 2'],
      at: 998,
    })
  })
})

test('two sources with similar prices of the coin and of the currency confirm each other', () => {
  const prices = ['100', '102'].map(
    (price, at): Prices => ({
      coin: { USD: of(price) },
      EUR: { USD: of(at === 0 ? '1' : '1.02') },
    }),
  )
  const rate = computeRate(['coin'], 'EUR', quotes(prices))
  expect(isNear(of(rate!.value), of('100'))).toBe(true)
})
