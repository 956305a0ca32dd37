import { expect, test } from 'bun:test'
import { currencyDecimals } from '../../../src/domain/currency.ts'
import { chargeable, fromStripe, toStripe } from '../../../src/providers/stripe/amounts.ts'

test.each([
  ['25.00', 'EUR', 2500],
  ['0.01', 'EUR', 1],
  ['500', 'JPY', 500],
  ['12.340', 'KWD', 12340],
  // Two decimals at Stripe, though the currency has none.
  ['5', 'UGX', 500],
  ['5', 'ISK', 500],
  // No decimals at Stripe, though ISO 4217 has two.
  ['500.00', 'MGA', 500],
])('%s %s is %d for Stripe, and back', (amount, currency, units) => {
  expect(toStripe(amount, currency)).toBe(String(units))
  expect(fromStripe(units, currency.toLowerCase())).toEqual({ amount, currency })
})

test('every other currency has the decimals of ISO 4217 at Stripe', () => {
  const units = (currency: string) => toStripe('10', currency)?.slice(2).length
  const others = chargeable.filter(currency => units(currency) !== currencyDecimals(currency))
  expect(others).toEqual(['ISK', 'MGA', 'UGX'])
})

test.each([
  ['12.345', 'KWD'],
  ['500.50', 'MGA'],
  ['25.00', 'LYD'],
])('%s %s cannot be charged exactly', (amount, currency) => {
  expect(toStripe(amount, currency)).toBeNull()
})

test.each([
  [550, 'ugx'],
  [550, 'isk'],
  [-1, 'eur'],
  [0.5, 'eur'],
  ['2500', 'eur'],
  [2500, 'lyd'],
  [2500, 'xxx'],
  [2500, null],
])('%p of %p in an answer is refused', (units, currency) => {
  expect(fromStripe(units, currency)).toBeNull()
})
