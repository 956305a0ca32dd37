import type { Coin } from '../../coins/types.ts'
import { type Fraction, over, readDecimal } from '../fraction.ts'
import { isObject, valueAt } from '../json.ts'
import { DOLLAR, toRateTable } from '../rate-table.ts'
import { type Exchange, tickersAt, unexpectedResponse } from './exchange.ts'

/** The coin whose prices give the value of currencies. */
const YARDSTICK = 'bitcoin'

const fiat = (
  'AED ARS AUD BDT BHD BMD BRL CAD CHF CLP CNY CZK DKK EUR GBP GEL HKD HUF IDR ILS INR JPY KRW KWD LKR MMK ' +
  'MXN MYR NGN NOK NZD PHP PKR PLN RUB SAR SEK SGD THB TRY TWD UAH VND ZAR'
).split(' ')

const OPTIONS = 'precision=full&include_last_updated_at=true'

const units = [DOLLAR, ...fiat].map(code => code.toLowerCase())

/** The time when a price was last updated. A price that is no longer updated becomes too old to be used. */
function updatedAt(response: unknown, id: string): number | undefined {
  const seconds = valueAt(response, id, 'last_updated_at')
  return typeof seconds === 'string' && /^[0-9]{1,11}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

const priceOf = (response: unknown, id: string, unit: string): unknown =>
  valueAt(response, id, unit.toLowerCase())

type IdPrice = [name: string, id: string, price: Fraction | null]

/** Dollar prices of currencies, from the yardstick's price in each of them. */
function fiatPrices(response: unknown): IdPrice[] {
  const yardstick = readDecimal(priceOf(response, YARDSTICK, DOLLAR))
  if (!yardstick) return []
  return fiat
    .filter(code => priceOf(response, YARDSTICK, code) !== undefined)
    .map(code => {
      const price = readDecimal(priceOf(response, YARDSTICK, code))
      return [code, YARDSTICK, price && over(yardstick, price)]
    })
}

export function coingecko(coins: readonly Coin[]): Exchange {
  const ids = tickersAt(coins, 'coingecko')
  const idsOf = (wanted: readonly string[]) => [...ids].filter(([name]) => wanted.includes(name))
  return {
    lists: name => ids.has(name) || fiat.includes(name),
    path(wanted) {
      const requested = new Set([YARDSTICK, ...idsOf(wanted).map(([, id]) => id)])
      return `/simple/price?ids=${[...requested]}&vs_currencies=${units}&${OPTIONS}`
    },
    read(response, wanted) {
      if (!isObject(response)) throw unexpectedResponse('CoinGecko')
      const coinPrices = idsOf(wanted)
        .filter(([, id]) => priceOf(response, id, DOLLAR) !== undefined)
        .map(([name, id]): IdPrice => [name, id, readDecimal(priceOf(response, id, DOLLAR))])
      return toRateTable(
        [...coinPrices, ...fiatPrices(response)].map(([name, id, price]) => ({
          name,
          unit: DOLLAR,
          price,
          updatedAt: updatedAt(response, id),
        })),
      )
    },
  }
}
