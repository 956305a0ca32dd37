import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { amountOf } from '../../../src/domain/money.ts'
import { VALUE_UNIT } from '../../../src/domain/quote.ts'
import { allowanceOf, dustAtomicOf } from '../../../src/domain/tolerance.ts'

const dollars = { own: '1', other: '1' }
const usd = (cents: bigint) => ({ amount: amountOf(cents, 'USD'), currency: 'USD' })

/** The part of an order in US dollars that may stay unpaid, in whole cents. */
const toleranceOf = (cents: bigint, percent: string): bigint =>
  allowanceOf(usd(cents), percent, dollars).tolerance / VALUE_UNIT

test.each([
  ['a small payment: the share', 25_00n, '0.5', 12n],
  ['the share right below five dollars', 999_80n, '0.5', 4_99n],
  ['the share of exactly five dollars', 1000_00n, '0.5', 5_00n],
  ['a large payment: five dollars', 100_000_00n, '0.5', 5_00n],
  ['a large share of a small payment', 20_00n, '5', 1_00n],
  ['a large share of a large payment', 200_00n, '5', 5_00n],
  ['no share', 25_00n, '0', 0n],
])('%s may be missing: the lower of the share and five dollars', (_, cents, percent, missing) => {
  expect(toleranceOf(cents, percent)).toBe(missing)
})

test('never more than the share, nor than five dollars, may be missing, at any rate of the dollar', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.integer({ min: 0, max: 500 }),
      fc.integer({ min: 1, max: 10_000_000 }),
      (minor, hundredths, centsPerDollar) => {
        const percent = (hundredths / 100).toFixed(2)
        const rates = { own: (centsPerDollar / 100).toFixed(2), other: '1' }
        const order = { amount: amountOf(minor, 'EUR'), currency: 'EUR' }
        const { tolerance } = allowanceOf(order, percent, rates)
        expect(tolerance).toBeGreaterThanOrEqual(0n)
        expect(tolerance * 10_000n).toBeLessThanOrEqual(minor * VALUE_UNIT * BigInt(hundredths))
        expect(tolerance).toBeLessThanOrEqual(5n * BigInt(centsPerDollar) * VALUE_UNIT)
      },
    ),
  )
})

// One coin costs 62,500 US dollars, and 50,000 euros or 7,500,000 yen.
test.each([
  ['EUR', '100000.00', '50000', { tolerance: 4_00n, dust: 8n }],
  ['JPY', '15000000', '7500000', { tolerance: 600n, dust: 12n }],
])('the limits in dollars are converted to %s', (currency, amount, own, limits) => {
  const { tolerance, dust } = allowanceOf({ amount, currency }, '0.5', { own, other: '62500' })
  expect({ tolerance: tolerance / VALUE_UNIT, dust: dust / VALUE_UNIT }).toEqual(limits)
})

test.each([
  ['1000.00', false],
  ['1000.01', true],
])('an order of %s USD is large: %p', (amount, isLarge) => {
  expect(allowanceOf({ amount, currency: 'USD' }, '0.5', dollars).isLarge).toBe(isLarge)
})

test('no amount may be missing while the price of a dollar is unknown', () => {
  expect(allowanceOf(usd(2500n), '5', null)).toEqual({ tolerance: 0n, dust: 0n, isLarge: false })
})

test('no rest that is worth less than the limit is asked for, even by a fraction of the smallest unit', () => {
  const limits = { tolerance: 0n, dust: 10n * VALUE_UNIT, isLarge: false }
  const least = (dueAtomic: bigint, minimum = 0n) => dustAtomicOf(limits, minimum, { dueAtomic, priced: 30n })
  expect([least(300n), least(301n), least(300n, 101n)]).toEqual([100n, 101n, 101n])
})
