import { at, isObject } from '../exact-json.ts'
import { over, readDecimal } from '../fraction.ts'
import { DOLLAR, type Quoted, tableOf } from '../rate-table.ts'
import { type Exchange, unlike } from './exchange.ts'

const ids: Record<string, string> = {
  btc: 'bitcoin',
  ltc: 'litecoin',
  doge: 'dogecoin',
  bch: 'bitcoin-cash',
  zec: 'zcash',
  xmr: 'monero',
  trx: 'tron',
  sol: 'solana',
  eth: 'ethereum',
  pol: 'polygon-ecosystem-token',
  bnb: 'binancecoin',
  usdc: 'usd-coin',
  usdt: 'tether',
}

/** The coin whose prices tell what the currencies are worth. */
const YARDSTICK = 'bitcoin'

const fiat = (
  'AED ARS AUD BDT BHD BMD BRL CAD CHF CLP CNY CZK DKK EUR GBP GEL HKD HUF IDR ILS INR JPY KRW KWD LKR MMK ' +
  'MXN MYR NGN NOK NZD PHP PKR PLN RUB SAR SEK SGD THB TRY TWD UAH VND ZAR'
).split(' ')

const known = new Set([...Object.keys(ids), ...fiat])

const units = [DOLLAR, ...fiat].map(code => code.toLowerCase())

const coinsOf = (wanted: readonly string[]): string[] =>
  Object.keys(ids).filter(coin => wanted.includes(coin))

/** It tells the second of each price; what it does not update any more grows too old to be used. */
function seenAt(answer: unknown, id: string): number | undefined {
  const seconds = at(answer, id, 'last_updated_at')
  return typeof seconds === 'string' && /^[0-9]{1,11}$/.test(seconds) ? Number(seconds) * 1000 : undefined
}

export const coingecko: Exchange = {
  lists: name => known.has(name),
  question(wanted) {
    const asked = new Set([YARDSTICK, ...coinsOf(wanted).map(coin => ids[coin])])
    return `/simple/price?ids=${[...asked]}&vs_currencies=${units}&precision=full&include_last_updated_at=true`
  },
  read(answer, wanted) {
    if (!isObject(answer)) throw unlike('CoinGecko')
    const priceOf = (id: string, unit: string): unknown => at(answer, id, unit.toLowerCase())
    const quoted = (name: string, id: string, price: Quoted['price']): Quoted => ({
      name,
      unit: DOLLAR,
      price,
      seenAt: seenAt(answer, id),
    })
    const yardstick = readDecimal(priceOf(YARDSTICK, DOLLAR))
    return tableOf([
      ...coinsOf(wanted)
        .filter(coin => priceOf(ids[coin]!, DOLLAR) !== undefined)
        .map(coin => quoted(coin, ids[coin]!, readDecimal(priceOf(ids[coin]!, DOLLAR)))),
      ...fiat
        .filter(code => yardstick && priceOf(YARDSTICK, code) !== undefined)
        .map(code => {
          const price = readDecimal(priceOf(YARDSTICK, code))
          return quoted(code, YARDSTICK, yardstick && price && over(yardstick, price))
        }),
    ])
  },
}
