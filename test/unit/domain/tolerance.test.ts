import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { amountTerms } from '../../../src/domain/tolerance.ts'

const usdc = { decimals: 6, minimum: 0n }

/** How much of an amount may be missing, in whole cents of a coin that is worth a dollar. */
const toleranceOf = (cents: bigint, percent: string): bigint => {
  const due = cents * 10_000n
  return (due - amountTerms(due, percent, usdc, '1').thresholdAtomic) / 10_000n
}

test.each([
  ['a small payment: the share', 25_00n, '0.5', 12n],
  ['the share right below five dollars', 999_80n, '0.5', 4_99n],
  ['the share of exactly five dollars', 1000_00n, '0.5', 5_00n],
  ['a large payment: five dollars', 100_000_00n, '0.5', 5_00n],
  ['a large share of a small payment', 20_00n, '5', 1_00n],
  ['a large share of a large payment', 200_00n, '5', 5_00n],
  ['no share', 25_00n, '0', 0n],
])('%s may be missing, the lesser of the share and five dollars', (_, cents, percent, missing) => {
  expect(toleranceOf(cents, percent)).toBe(missing)
})

test('no more may be missing than the share, nor than five dollars, whatever the price', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      fc.integer({ min: 0, max: 500 }),
      fc.integer({ min: 1, max: 10_000_000 }),
      (due, hundredths, centsPerCoin) => {
        const percent = (hundredths / 100).toFixed(2)
        const { thresholdAtomic } = amountTerms(due, percent, usdc, (centsPerCoin / 100).toFixed(2))
        const missing = due - thresholdAtomic
        expect(missing).toBeGreaterThanOrEqual(0n)
        expect(missing * 10_000n).toBeLessThanOrEqual(due * BigInt(hundredths))
        expect(missing * BigInt(centsPerCoin)).toBeLessThanOrEqual(500n * 10n ** 6n)
      },
    ),
  )
})

test('nothing may be missing while the price in dollars is unknown', () => {
  expect(amountTerms(100n, '5', { decimals: 6, minimum: 3n }, null)).toEqual({
    thresholdAtomic: 100n,
    dustAtomic: 3n,
  })
})
