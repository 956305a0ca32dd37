import type { Coin } from '../../coins/types.ts'
import { at, isObject } from '../exact-json.ts'
import { over, readDecimal } from '../fraction.ts'
import { DOLLAR, type Quoted, tableOf } from '../rate-table.ts'
import { type Exchange, tickersAt, unlike } from './exchange.ts'

/** The coin whose prices show what currencies are worth. */
const YARDSTICK = 'bitcoin'

const fiat = (
  'AED ARS AUD BDT BHD BMD BRL CAD CHF CLP CNY CZK DKK EUR GBP GEL HKD HUF IDR ILS INR JPY KRW KWD LKR MMK ' +
  'MXN MYR NGN NOK NZD PHP PKR PLN RUB SAR SEK SGD THB TRY TWD UAH VND ZAR'
).split(' ')

const units = [DOLLAR, ...fiat].map(code => code.toLowerCase())

/** When a price was last updated: one that is no longer updated becomes too old to be used. */
function seenAt(answer: unknown, id: string): number | undefined {
  const seconds = at(answer, id, 'last_updated_at')
  return typeof seconds === 'string' && /^[0-9]{1,11}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

const priceOf = (answer: unknown, id: string, unit: string): unknown => at(answer, id, unit.toLowerCase())

/** The currencies by what the yardstick costs in them. */
function fiatQuotes(answer: unknown, quoted: (name: string, id: string, price: Quoted['price']) => Quoted) {
  const yardstick = readDecimal(priceOf(answer, YARDSTICK, DOLLAR))
  if (!yardstick) return []
  return fiat
    .filter(code => priceOf(answer, YARDSTICK, code) !== undefined)
    .map(code => {
      const price = readDecimal(priceOf(answer, YARDSTICK, code))
      return quoted(code, YARDSTICK, price && over(yardstick, price))
    })
}

export function coingecko(coins: readonly Coin[]): Exchange {
  const ids = tickersAt(coins, 'coingecko')
  const idsOf = (wanted: readonly string[]) => [...ids].filter(([name]) => wanted.includes(name))
  return {
    lists: name => ids.has(name) || fiat.includes(name),
    question(wanted) {
      const asked = new Set([YARDSTICK, ...idsOf(wanted).map(([, id]) => id)])
      return `/simple/price?ids=${[...asked]}&vs_currencies=${units}&precision=full&include_last_updated_at=true`
    },
    read(answer, wanted) {
      if (!isObject(answer)) throw unlike('CoinGecko')
      const quoted = (name: string, id: string, price: Quoted['price']): Quoted => ({
        name,
        unit: DOLLAR,
        price,
        seenAt: seenAt(answer, id),
      })
      return tableOf([
        ...idsOf(wanted)
          .filter(([, id]) => priceOf(answer, id, DOLLAR) !== undefined)
          .map(([name, id]) => quoted(name, id, readDecimal(priceOf(answer, id, DOLLAR)))),
        ...fiatQuotes(answer, quoted),
      ])
    },
  }
}
