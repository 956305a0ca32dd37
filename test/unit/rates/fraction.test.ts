import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  compare,
  type Fraction,
  isNear,
  mean,
  over,
  printRate,
  readDecimal,
  times,
} from '../../../src/rates/fraction.ts'

const of = (text: string): Fraction => readDecimal(text)!

describe('a decimal', () => {
  test.each([
    '',
    '0',
    '0e5',
    '-1',
    '1.',
    '.5',
    '1e',
    '1e100',
    '1e1.5',
    ' 1',
    '1 ',
    '1_0',
    '٣',
    '1'.repeat(31),
    null,
    1,
    {},
  ])('%j is not a decimal above zero', value => {
    expect(readDecimal(value)).toBeNull()
  })

  test.each([
    ['1', '1'],
    ['1.50', '1.5'],
    ['1e3', '1000'],
    ['2.5E+2', '250'],
    ['6.9e-05', '0.000069'],
    ['1.25e1', '12.5'],
    ['123456789012345678901234567890.5', '123456789012345678901234567890.5'],
  ])('%s is %s', (text, value) => {
    expect(printRate(of(text))).toBe(value)
  })
})

describe('a rate is printed', () => {
  test('with 18 digits if its decimals never end, and never above the price', () => {
    expect(printRate(over(of('2'), of('3')))).toBe('0.666666666666666666')
    expect(printRate(over(of('200000'), of('3')))).toBe('66666.6666666666666')
    expect(printRate(over(of('2e24'), of('3')))).toBe('6'.repeat(24))
  })

  test('only if it is neither too small nor too large', () => {
    expect(printRate(over(of('1e-30'), of('3')))).toBeNull()
    expect(printRate(of('1e30'))).toBeNull()
  })
})

test('two prices are near if they are within 2 % of the lower one, in either order', () => {
  for (const [a, b, expected] of [
    ['100', '102', true],
    ['100', '102.000000001', false],
    ['100', '100', true],
    ['98', '100', false],
  ] as const) {
    expect([isNear(of(a), of(b)), isNear(of(b), of(a))]).toEqual([expected, expected])
  }
})

const fraction = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }))
  .map(([numerator, denominator]) => ({ numerator, denominator }))

test('arithmetic loses nothing: multiplying and dividing back is exact, and a mean lies between', () => {
  fc.assert(
    fc.property(fraction, fraction, (a, b) => {
      expect(compare(over(times(a, b), b), a)).toBe(0)
      const [low, high] = compare(a, b) < 0 ? [a, b] : [b, a]
      expect(compare(low, mean(a, b)) <= 0 && compare(mean(a, b), high) <= 0).toBe(true)
    }),
  )
})

test('a printed rate is at most the price, and less by at most one in 10^17', () => {
  fc.assert(
    fc.property(fraction, price => {
      const text = printRate(price)
      if (text === null) return
      const printed = of(text)
      expect(compare(printed, price)).toBeLessThanOrEqual(0)
      const units = (price.numerator * 10n ** 30n) / price.denominator
      if (units < 10n ** 18n) return
      expect(compare(times(printed, { numerator: 10n ** 17n + 1n, denominator: 10n ** 17n }), price)).toBe(1)
    }),
    { numRuns: 2_000 },
  )
})
