import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  creditedLines,
  eInvoiceFault,
  type InvoiceContent,
  invoiceNumber,
  linesLeft,
  missingDetails,
  sumsOf,
  untaxedLine,
} from '../../../src/domain/invoice.ts'
import { amountOf, minorOf } from '../../../src/domain/money.ts'
import { type ShopTax, type TaxLine, taxOfSale } from '../../../src/domain/tax.ts'

const seller = {
  ...{ name: 'Shop GmbH', street: 'Hauptstr. 1', postcode: '10115', town: 'Berlin', country: 'DE' },
  ...{ vatId: 'DE123456788', taxNumber: null, contact: null, phone: null, email: null },
}

test('a number has the year and six digits or more', () => {
  expect([1, 42, 999_999, 1_000_000].map(ordinal => invoiceNumber(2026, ordinal))).toEqual([
    ...['2026-000001', '2026-000042', '2026-999999', '2026-1000000'],
  ])
})

const noNumber = { ...seller, vatId: null }
test.each([
  ['in euros', 'S', {}, null],
  ['in dinars, which have three decimals', 'S', { currency: 'KWD' }, 'decimals'],
  ['of a seller without a number', 'S', { seller: noNumber }, 'seller_number'],
  ['of a seller with a tax number', 'S', { seller: { ...noNumber, taxNumber: '1' } }, null],
  [
    'of a seller without a VAT ID to another country',
    'G',
    { seller: { ...noNumber, taxNumber: '1' } },
    'seller_number',
  ],
  ['outside of the scope of VAT, of a seller without a number', 'O', { seller: noNumber }, null],
  ['with reverse charge to a buyer without a VAT ID', 'AE', {}, 'buyer_number'],
])('an e-invoice %s, of tax category %s, has the expected fault or none', (_, category, change, fault) => {
  const lines = [{ category, rate: 0, net: '1.00', tax: '0.00' }]
  const content = { currency: 'EUR', lines, seller, buyer: { vatId: null }, ...change }
  expect(eInvoiceFault(content as unknown as InvoiceContent)).toBe(fault as null)
})

test.each([
  ['a VAT ID', seller, 'E'],
  ['a tax number', { ...noNumber, taxNumber: '1' }, 'E'],
  ['no number', noNumber, 'O'],
] as const)(
  'an order without tax, of a seller with %s, has one line of its whole amount',
  (_, of, category) => {
    expect(untaxedLine('25.00', 'EUR', of)).toEqual({ category, rate: 0, net: '25.00', tax: '0.00' })
  },
)

describe('a shop that switches invoices on lacks', () => {
  test.each([
    ['nothing', {}, []],
    ['its street and its town', { street: '', town: '' }, ['street', 'town']],
    ['a number for taxes in the EU', { vatId: null }, ['vatId']],
    ['nothing with a tax number alone', { vatId: null, taxNumber: '12/345/67890' }, []],
    ['nothing without a number outside of the EU', { vatId: null, country: 'US' }, []],
  ] as const)('%s', (_, change, missing) => {
    expect(missingDetails({ ...seller, ...change })).toEqual([...missing])
  })
})

const shop: ShopTax = {
  ...{ country: 'DE', vatId: null, prices: 'included' as const, exemption: null, sells: 'goods' as const },
  ...{ reverseCharge: false, rates: [{ country: 'DE', standard: 1900, reduced: 700 }] },
}

const lineOf = (cents: number, taxClass: 'standard' | 'reduced'): TaxLine =>
  taxOfSale(shop, {
    price: { amount: amountOf(BigInt(cents), 'EUR'), currency: 'EUR' },
    taxClass,
    payer: { country: null, vatId: null },
  }).tax.lines[0]!

test('credit notes for parts of an invoice add up to it, and none is negative', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500_000 }),
      fc.integer({ min: 0, max: 500_000 }),
      fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { maxLength: 5 }),
      (standard, reduced, shares) => {
        const lines = [lineOf(standard, 'standard'), ...(reduced > 0 ? [lineOf(reduced, 'reduced')] : [])]
        const notes: TaxLine[][] = []
        const leftMinor = () => minorOf(sumsOf(linesLeft(lines, notes, 'EUR'), 'EUR').gross, 'EUR')
        for (const share of [...shares, 1]) {
          const part = share === 1 ? leftMinor() : BigInt(Math.floor(Number(leftMinor()) * share))
          if (part === 0n) continue
          const note = creditedLines(lines, linesLeft(lines, notes, 'EUR'), amountOf(part, 'EUR'), 'EUR')
          expect(sumsOf(note, 'EUR').gross).toBe(amountOf(part, 'EUR'))
          for (const { net, tax } of note) expect(`${net}${tax}`).not.toContain('-')
          notes.push(note)
        }
        expect(sumsOf(notes.flat(), 'EUR')).toEqual(sumsOf(lines, 'EUR'))
      },
    ),
    { numRuns: 300 },
  )
})
