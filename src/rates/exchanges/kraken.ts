import { at, isObject } from '../exact-json.ts'
import { type Fraction, ONE, over, readDecimal } from '../fraction.ts'
import { DOLLAR, tableOf } from '../rate-table.ts'
import { RestNeeded } from '../request.ts'
import { type Exchange, unlike } from './exchange.ts'

/** A pair as it is asked for, and as the answer calls it. */
type Pair = [asked: string, answered: string]

const coins: Record<string, Pair> = {
  btc: ['XBTUSD', 'XXBTZUSD'],
  ltc: ['LTCUSD', 'XLTCZUSD'],
  doge: ['XDGUSD', 'XDGUSD'],
  bch: ['BCHUSD', 'BCHUSD'],
  zec: ['ZECUSD', 'XZECZUSD'],
  xmr: ['XMRUSD', 'XXMRZUSD'],
  trx: ['TRXUSD', 'TRXUSD'],
  sol: ['SOLUSD', 'SOLUSD'],
  eth: ['ETHUSD', 'XETHZUSD'],
  pol: ['POLUSD', 'POLUSD'],
  bnb: ['BNBUSD', 'BNBUSD'],
  usdc: ['USDCUSD', 'USDCUSD'],
  usdt: ['USDTUSD', 'USDTZUSD'],
}

const inDollars: Record<string, Pair> = {
  EUR: ['EURUSD', 'ZEURZUSD'],
  GBP: ['GBPUSD', 'ZGBPZUSD'],
  AUD: ['AUDUSD', 'ZAUDZUSD'],
}

const perDollar: Record<string, Pair> = {
  CAD: ['USDCAD', 'ZUSDZCAD'],
  CHF: ['USDCHF', 'USDCHF'],
  JPY: ['USDJPY', 'ZUSDZJPY'],
}

const pairs = { ...coins, ...inDollars, ...perDollar }

/**
 * The bid is used, and not the last trade, which may be old: a buyer's offer stands now, it is what a coin
 * can be sold for, and it is the lower price. The other side counts where a higher price is the careful one.
 */
const ASK = 'a'
const BID = 'b'

function priceOf(name: string, ticker: unknown): Fraction | null {
  const price = readDecimal(at(ticker, Object.hasOwn(inDollars, name) ? ASK : BID, 0))
  return price && Object.hasOwn(perDollar, name) ? over(ONE, price) : price
}

const namesOf = (wanted: readonly string[]): string[] =>
  Object.keys(pairs).filter(name => !Object.hasOwn(coins, name) || wanted.includes(name))

export const kraken: Exchange = {
  lists: name => Object.hasOwn(pairs, name),
  question: wanted => `/0/public/Ticker?pair=${namesOf(wanted).map(name => pairs[name]![0])}`,
  whole: {
    path: '/0/public/Ticker',
    isNeeded: ({ status, text }) => status === 200 && text.includes('"EQuery:Unknown asset pair"'),
  },
  read(answer, wanted) {
    const errors = at(answer, 'error')
    const result = at(answer, 'result')
    const error = Array.isArray(errors) ? errors.find(words => !/^W/.test(String(words))) : undefined
    if (error !== undefined) throw refused(String(error))
    if (!Array.isArray(errors) || !isObject(result)) throw unlike('Kraken')
    return tableOf(
      namesOf(wanted).flatMap(name => {
        const ticker = pairs[name]!.map(key => at(result, key)).find(found => found !== undefined)
        return ticker === undefined ? [] : [{ name, unit: DOLLAR, price: priceOf(name, ticker) }]
      }),
    )
  },
}

/** Kraken refuses with status 200. */
function refused(words: string): Error {
  if (/rate limit|too many requests/i.test(words))
    return new RestNeeded('says that it was asked too often', null)
  return new Error(`refuses with ${/^[\w:., -]{1,80}$/.test(words) ? `"${words}"` : 'an error'}`)
}
