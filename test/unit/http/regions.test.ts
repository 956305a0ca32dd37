import { expect, test } from 'bun:test'
import { localeOf } from '../../../src/http/pages/language.ts'
import { money } from '../../../src/present/amounts.ts'

const asked = (accepted: string, url = '/') =>
  localeOf(new Request(`https://pay.example${url}`, { headers: { 'accept-language': accepted } }))
const spaced = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u2018\u2019]/g, "'")

test.each([
  ['en-IN,en;q=0.8', 'INR', '₹12,34,567.50'],
  ['en-US,en;q=0.9', 'INR', '₹1,234,567.50'],
  ['en', 'INR', '₹1,234,567.50'],
  ['en-GB', 'USD', 'US$1,234,567.50'],
  ['de-CH', 'CHF', "CHF 1'234'567.50"],
  ['de_CH', 'CHF', "CHF 1'234'567.50"],
  ['DE-ch', 'CHF', "CHF 1'234'567.50"],
  ['de', 'CHF', '1.234.567,50 CHF'],
  ['de,de-CH;q=0.9', 'CHF', "CHF 1'234'567.50"],
  ['fr-CH,de-AT;q=0.9', 'EUR', '1 234 567.50 €'],
  ['pt-PT', 'EUR', '1 234 567,50 €'],
  ['es-MX', 'MXN', '$1,234,567.50'],
  ['zh-HK', 'HKD', 'HK$1,234,567.50'],
  ['en-ZZ', 'USD', '$1,234,567.50'],
  ['de-CH;q=0,de', 'CHF', '1.234.567,50 CHF'],
])('a browser that prefers "%s" is shown %s as %s', (accepted, currency, text) => {
  const shown = spaced(money(asked(accepted), { amount: '1234567.50', currency }))
  expect(shown.replaceAll("'", ' ')).toBe(text.replaceAll("'", ' '))
})

test('the region of a browser counts only if its language is that of the page', () => {
  expect(asked('en-IN,de-CH;q=0.5', '/?lang=de')).toMatchObject({ tag: 'de', formats: 'de-CH-u-nu-latn' })
  expect(asked('en-IN', '/?lang=de')).toMatchObject({ tag: 'de', formats: 'de-u-nu-latn' })
})

test('unknown languages and regions in requests are not kept in memory', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const ask = (count: number) => {
    for (let at = 0; at < count; at++) {
      const region = `${letters[at % 26]}${letters[Math.floor(at / 26) % 26]}`
      money(asked(`en-${region},x${at}`), { amount: `${at}.00`, currency: 'USD' })
    }
    Bun.gc(true)
    return process.memoryUsage().heapUsed
  }
  const before = ask(500)
  expect(ask(2_500) - before).toBeLessThan(2_000_000)
})
