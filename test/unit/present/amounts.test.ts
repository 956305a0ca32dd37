import { expect, test } from 'bun:test'
import { listOf, money, price } from '../../../src/present/amounts.ts'
import { locales } from '../../../views/locale.ts'

const localeOf = (tag: string) => locales.find(locale => locale.tag === tag)!
const spaced = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test.each([
  ['en', '$1,234.50'],
  ['de', '1.234,50 $'],
  ['pt-BR', 'US$ 1.234,50'],
  ['hi', '$1,234.50'],
  // The amount is isolated from left to right, because the sign would move to the other side of the letters.
  ['ar', '\u20661,234.50 US$\u2069'],
  ['he', '\u20661,234.50 $\u2069'],
])('an amount in %s is %s', (tag, text) => {
  expect(spaced(money(localeOf(tag), { amount: '1234.50', currency: 'USD' }))).toBe(text)
})

test('the price of a coin is formatted in the same way', () => {
  expect(spaced(price(localeOf('ar'), '60000', 'USD'))).toBe('\u206660,000 US$\u2069')
})

test.each(locales)('an amount beyond the precision of a double is exact in $name', locale => {
  const text = money(locale, { amount: '12345678901234567890.12', currency: 'EUR' })
  expect(text.replace(/[^0-9]/g, '')).toBe('1234567890123456789012')
})

test('names in a list are read in the direction of the page', () => {
  expect(listOf(localeOf('en'), ['Base', 'Polygon'])).toBe('Base and Polygon')
  // Without isolates, the whole list would run from left to right.
  expect(listOf(localeOf('ar'), ['Base', 'Polygon'])).toBe('\u2068Base\u2069 و\u2068Polygon\u2069')
})
