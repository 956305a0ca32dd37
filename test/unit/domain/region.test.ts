import { expect, test } from 'bun:test'
import { countries } from '../../../src/domain/country.ts'
import { currencies } from '../../../src/domain/currency.ts'
import { usualIn } from '../../../src/domain/region.ts'

test.each([
  ['de', 'EUR', 'Europe/Berlin'],
  ['de-AT', 'EUR', 'Europe/Vienna'],
  ['de-CH-u-nu-latn', 'CHF', 'Europe/Zurich'],
  ['en', 'USD', 'America/New_York'],
  ['en-GB', 'GBP', 'Europe/London'],
  ['en-IN', 'INR', 'Asia/Kolkata'],
  ['pt-BR', 'BRL', 'America/Sao_Paulo'],
  ['es-SV', 'USD', 'America/El_Salvador'],
  ['es-VE', 'VES', 'America/Caracas'],
  ['ja', 'JPY', 'Asia/Tokyo'],
  ['es-419', 'USD', 'UTC'],
])('for people who speak %s, %s and %s are usual', (tag, currency, timeZone) => {
  expect(usualIn(tag)).toEqual({ currency, timeZone })
})

test('every country has a currency for orders, and a time zone of the list', () => {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])
  const wrong = countries.filter(country => {
    const { currency, timeZone } = usualIn(`und-${country}`)
    return !currencies.includes(currency) || !zones.has(timeZone)
  })
  expect(wrong).toEqual([])
})
