import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { currencies, currencyDecimals } from '../../../src/domain/currency.ts'
import { Refusal } from '../../../src/domain/errors.ts'
import { feeMillionths, isFree, splitFee } from '../../../src/domain/fee.ts'
import {
  ceilUnits,
  fromUnits,
  fromUnitsShort,
  minorOf,
  parseAmount,
  toUnits,
} from '../../../src/domain/money.ts'

describe('an amount is refused', () => {
  test.each([
    ['0', 'USD'],
    ['0.00', 'USD'],
    ['-1', 'USD'],
    ['+1', 'USD'],
    ['1e3', 'USD'],
    ['1,00', 'USD'],
    [' 1', 'USD'],
    ['', 'USD'],
    ['.5', 'USD'],
    ['5.', 'USD'],
    ['25.000', 'USD'],
    ['100.5', 'JPY'],
    ['100.00', 'JPY'],
    ['1.0001', 'KWD'],
    ['1234567890123456789', 'USD'],
    ['٢٥', 'USD'],
    ['1', 'usd'],
    ['1', 'XXX'],
    ['1', 'XAU'],
    ['1', 'CLF'],
    ['1', 'USN'],
    ['1', 'HRK'],
    ['1', 'constructor'],
  ])('%p %p', (amount, currency) => {
    expect(() => parseAmount(amount, currency)).toThrow(Refusal)
  })
})

describe('an amount is accepted and shows as many decimals as its currency has', () => {
  test.each([
    ['25', 'USD', '25.00'],
    ['25.5', 'USD', '25.50'],
    ['0025.5', 'USD', '25.50'],
    ['0.01', 'EUR', '0.01'],
    ['9.9', 'EUR', '9.90'],
    ['100', 'JPY', '100'],
    ['1', 'KRW', '1'],
    ['1.5', 'KWD', '1.500'],
    ['1', 'BHD', '1.000'],
    ['1.234', 'BHD', '1.234'],
    ['999999999999999999.99', 'USD', '999999999999999999.99'],
    ['999999999999999999.999', 'TND', '999999999999999999.999'],
  ])('%p %p is %p', (amount, currency, shown) => {
    expect(parseAmount(amount, currency)).toBe(shown)
  })
})

test('every currency has 0, 2 or 3 decimals, is listed once, and is known to the runtime', () => {
  const known = new Set(Intl.supportedValuesOf('currency'))
  expect(new Set(currencies).size).toBe(currencies.length)
  for (const currency of currencies) {
    expect([0, 2, 3]).toContain(currencyDecimals(currency) as number)
    expect(known.has(currency)).toBe(true)
  }
})

test.each([
  ['1', 6, 1_000_000n],
  ['0.000001', 6, 1n],
  ['0.0000011', 6, 2n],
  ['0.0000001', 6, 1n],
])('the least amount %s has at most %p decimals, rounded up', (least, decimals, units) => {
  expect(ceilUnits(least, decimals)).toBe(units)
})

test('zero is printed as 0 for any number of decimals', () => {
  const printed = Array.from({ length: 19 }, (_, decimals) => fromUnitsShort(0n, decimals))
  expect(printed).toEqual(Array.from({ length: 19 }, () => '0'))
})

test('reading and printing are inverse, for any size', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.integer({ min: 0, max: 18 }),
      (units, decimals) => {
        expect(toUnits(fromUnits(units, decimals), decimals)).toBe(units)
        expect(toUnits(fromUnitsShort(units, decimals), decimals)).toBe(units)
        expect(fromUnitsShort(units, decimals)).not.toMatch(/e|[.]0*$|[.].*0$/)
      },
    ),
  )
})

describe('the fee', () => {
  test.each([
    ['100.00', 'USD', '0', '0.00', '100.00'],
    ['100.00', 'USD', '2.5', '2.50', '97.50'],
    ['0.01', 'USD', '50', '0.01', '0.00'],
    ['0.01', 'USD', '49.9999', '0.00', '0.01'],
    ['0.19', 'USD', '2.5', '0.00', '0.19'],
    ['0.20', 'USD', '2.5', '0.01', '0.19'],
    ['0.20', 'USD', '2.4999', '0.00', '0.20'],
    ['1.00', 'USD', '99', '0.99', '0.01'],
    ['1', 'JPY', '1.25', '0', '1'],
    ['1', 'JPY', '49.9999', '0', '1'],
    ['40', 'JPY', '1.25', '1', '39'],
    ['100', 'JPY', '89.9999', '90', '10'],
    ['1', 'BHD', '33.3333', '0.333', '0.667'],
    ['999999999999999999.99', 'USD', '0.0001', '1000000000000.00', '999998999999999999.99'],
    ['10.005', 'KWD', '0.0001', '0.000', '10.005'],
    ['999999999999999999.99', 'USD', '99', '989999999999999999.99', '10000000000000000.00'],
  ])('of %p %p at %p percent is %p, and %p remain', (amount, currency, percent, fee, net) => {
    expect(splitFee(amount, currency, percent)).toEqual({ fee, net })
  })

  test('and the net amount add up to the amount', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
        fc.constantFrom(...currencies),
        fc.integer({ min: 0, max: 899_999 }),
        (minor, currency, tenThousandths) => {
          const amount = parseAmount(fromUnits(minor, currencyDecimals(currency) ?? 0), currency)
          const { fee, net } = splitFee(amount, currency, fromUnits(BigInt(tenThousandths), 4))
          expect(minorOf(fee, currency) + minorOf(net, currency)).toBe(minor)
        },
      ),
    )
  })

  test('is passed to a provider in millionths', () => {
    expect(['0', '2.5', '89.9999', '99'].map(feeMillionths)).toEqual([0n, 25_000n, 899_999n, 990_000n])
  })

  test('of zero percent is free, however it is spelled', () => {
    expect(['0', '0.0', '0.0000'].every(isFree)).toBe(true)
    expect(isFree('0.0001')).toBe(false)
  })
})
