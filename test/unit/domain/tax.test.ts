import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { amountOf, minorOf } from '../../../src/domain/money.ts'
import {
  type ShopTax,
  spread,
  type TaxClass,
  type TaxLine,
  type TaxPayer,
  taxOfPart,
  taxOfSale,
  taxWithin,
} from '../../../src/domain/tax.ts'

const shop = (change: Partial<ShopTax> = {}): ShopTax => ({
  country: 'DE',
  vatId: 'DE123456788',
  prices: 'included',
  exemption: null,
  sells: 'services',
  reverseCharge: true,
  rates: [
    { country: 'DE', standard: 1900, reduced: 700 },
    { country: 'FR', standard: 2000, reduced: null },
    { country: 'CH', standard: 810, reduced: null },
  ],
  ...change,
})

const grossOf = (lines: readonly TaxLine[], currency: string) =>
  amountOf(
    lines.reduce((sum, { net, tax }) => sum + minorOf(net, currency) + minorOf(tax, currency), 0n),
    currency,
  )

const unknown: TaxPayer = { country: null, vatId: null }
const from = (country: string, vatId: string | null = null): TaxPayer => ({ country, vatId })

describe('the tax of a sale', () => {
  test.each<[what: string, change: Partial<ShopTax>, TaxClass, TaxPayer, category: string, rate: number]>([
    ['at home', {}, 'standard', from('DE'), 'S', 1900],
    ['to a buyer of an unknown country', {}, 'standard', unknown, 'S', 1900],
    ['at the reduced rate', {}, 'reduced', from('DE'), 'S', 700],
    ['without a tax rate', {}, 'zero', from('DE'), 'Z', 0],
    ['that is exempt', {}, 'exempt', from('US'), 'E', 0],
    ['of a shop that charges none', { exemption: '§ 19' }, 'standard', from('FR', 'FR1'), 'E', 0],
    ['of a shop without a rate at home', { rates: [] }, 'standard', from('DE'), 'Z', 0],
    ['in a country with a rate of its own', {}, 'standard', from('FR'), 'S', 2000],
    ['there, at a reduced rate that it lacks', {}, 'reduced', from('FR'), 'S', 2000],
    ['elsewhere in the EU', {}, 'reduced', from('IT'), 'S', 700],
    ['to a business of the EU', {}, 'standard', from('IT', 'IT1'), 'AE', 0],
    ['of goods to a business of the EU', { sells: 'goods' }, 'standard', from('FR', 'FR1'), 'K', 0],
    ['to a business at home', {}, 'standard', from('DE', 'DE1'), 'S', 1900],
    ['to a business where it pays too', { reverseCharge: false }, 'standard', from('IT', 'IT1'), 'S', 1900],
    ['of services outside of the EU', {}, 'standard', from('US'), 'O', 0],
    ['of goods outside of the EU', { sells: 'goods' }, 'standard', from('US', 'US1'), 'G', 0],
    ['outside of the EU, with a rate', {}, 'standard', from('CH'), 'S', 810],
    ['from outside into the EU', { country: 'CH' }, 'standard', from('IT', 'IT1'), 'O', 0],
  ])('%s', (_, change, taxClass, payer, category, rate) => {
    const price = { amount: '1.00', currency: 'EUR' }
    const { lines, exemption } = taxOfSale(shop(change), { price, taxClass, payer }).tax
    expect(lines.map(one => [one.category, one.rate])).toEqual([[category as 'S', rate]])
    expect(exemption).toBe(change.exemption ?? null)
  })
})

const sale = (amount: string, payer: TaxPayer, currency = 'EUR') => ({
  price: { amount, currency },
  taxClass: 'standard' as const,
  payer,
})

describe('the amount of a sale', () => {
  test.each<[what: string, prices: ShopTax['prices'], string, TaxPayer, string, net: string, tax: string]>([
    ['contains the tax', 'included', '119.00', from('DE'), '119.00', '100.00', '19.00'],
    ['is the same in other countries', 'included', '119.00', from('FR'), '119.00', '99.17', '19.83'],
    ['is the net price without tax', 'included', '119.00', from('IT', 'IT1'), '100.00', '100.00', '0.00'],
    ['is the net price abroad', 'included', '119.00', from('US'), '100.00', '100.00', '0.00'],
    ['has the tax added', 'added', '100.00', from('DE'), '119.00', '100.00', '19.00'],
    ['has the tax of the country added', 'added', '100.00', from('FR'), '120.00', '100.00', '20.00'],
    ['has no tax added', 'added', '100.00', from('IT', 'IT1'), '100.00', '100.00', '0.00'],
    ['rounds half a cent up', 'added', '0.50', from('DE'), '0.60', '0.50', '0.10'],
  ])('%s', (_, prices, price, payer, amount, net, tax) => {
    const sold = taxOfSale(shop({ prices }), sale(price, payer))
    expect([sold.amount, sold.tax.lines]).toEqual([amount, [expect.objectContaining({ net, tax })]])
  })

  test('is final for orders without data about the buyer', () => {
    const tax = taxWithin(shop({ prices: 'added' }), sale('119.00', unknown))
    expect(tax).toEqual({
      ...unknown,
      seller: { country: 'DE', vatId: 'DE123456788' },
      exemption: null,
      lines: [{ category: 'S', rate: 1900, net: '100.00', tax: '19.00' }],
    })
  })

  const sums = { amount: fc.bigInt({ min: 1n, max: 10n ** 15n }), rate: fc.integer({ min: 0, max: 9999 }) }

  test('is net plus tax to the last minor unit, in every currency', () => {
    const anything = fc.record({
      ...sums,
      currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
      prices: fc.constantFrom('included' as const, 'added' as const),
      payer: fc.constantFrom(unknown, from('DE'), from('IT', 'IT1'), from('US')),
    })
    fc.assert(
      fc.property(anything, ({ amount, rate, currency, prices, payer }) => {
        const rates = [{ country: 'DE', standard: rate, reduced: null }]
        const sold = taxOfSale(shop({ prices, rates }), sale(amountOf(amount, currency), payer, currency))
        expect(grossOf(sold.tax.lines, currency)).toBe(sold.amount)
        const [line] = sold.tax.lines
        const exact = (minorOf(line!.net, currency) * BigInt(line!.rate)) / 10_000n
        const off = minorOf(line!.tax, currency) - exact
        expect(off >= -1n && off <= 1n).toBe(true)
      }),
    )
  })

  test.each<[total: bigint, weights: bigint[], shares: bigint[]]>([
    [10n, [1n, 1n, 5n], [2n, 1n, 7n]],
    [-10n, [1n, 1n, 5n], [-2n, -1n, -7n]],
    [5n, [5n, 3n, 3n], [2n, 2n, 1n]],
    [5n, [0n, 0n], [5n, 0n]],
  ])('%p is spread in proportion to %p: the largest remainders are rounded up', (total, weights, shares) => {
    expect(spread(total, weights)).toEqual(shares)
  })

  test('splits into exact parts, at the rates of its lines', () => {
    const anything = fc.record({ ...sums, part: fc.bigInt({ min: 0n, max: 10n ** 15n }) })
    fc.assert(
      fc.property(anything, ({ amount, rate, part }) => {
        const full = { category: 'S' as const, rate, net: amountOf(amount, 'EUR'), tax: amountOf(0n, 'EUR') }
        const lines = [full, { category: 'Z' as const, rate: 0, net: '17.23', tax: '0.00' }]
        const parts = taxOfPart(lines, amountOf(part, 'EUR'), 'EUR')
        expect(grossOf(parts, 'EUR')).toBe(amountOf(part, 'EUR'))
        expect(parts.map(line => line.rate)).toEqual([rate, 0])
      }),
    )
  })
})
