import type { Coin, ExchangeTickers } from '../../coins/types.ts'
import { type Fraction, ONE, over, readDecimal } from '../fraction.ts'
import { isObject, valueAt } from '../json.ts'
import { DOLLAR, type RateTable, toRateTable } from '../rate-table.ts'
import { BackoffError } from '../request.ts'
import { type Exchange, tickersAt, unexpectedResponse } from './exchange.ts'

/** A pair as requested, and as the response names it. */
type Pair = NonNullable<ExchangeTickers['kraken']>

const inDollars = new Map<string, Pair>([
  ['EUR', { pair: 'EURUSD', result: 'ZEURZUSD' }],
  ['GBP', { pair: 'GBPUSD', result: 'ZGBPZUSD' }],
  ['AUD', { pair: 'AUDUSD', result: 'ZAUDZUSD' }],
])

const perDollar = new Map<string, Pair>([
  ['CAD', { pair: 'USDCAD', result: 'ZUSDZCAD' }],
  ['CHF', { pair: 'USDCHF', result: 'USDCHF' }],
  ['JPY', { pair: 'USDJPY', result: 'ZUSDZJPY' }],
])

/**
 * Kraken's name of the ask, which is used where a higher price is the conservative one. Elsewhere the bid is
 * used, not the last trade: the trade may be old, and the bid is the price at which a coin can be sold now.
 */
const ASK = 'a'
const BID = 'b'

function priceOf(name: string, ticker: unknown): Fraction | null {
  const price = readDecimal(valueAt(ticker, inDollars.has(name) ? ASK : BID, 0))
  return price && perDollar.has(name) ? over(ONE, price) : price
}

export function kraken(coins: readonly Coin[]): Exchange {
  const coinPairs = tickersAt(coins, 'kraken')
  const pairsOf = (wanted: readonly string[]): [name: string, pair: Pair][] => [
    ...[...coinPairs].filter(([name]) => wanted.includes(name)),
    ...inDollars,
    ...perDollar,
  ]
  return {
    lists: name => coinPairs.has(name) || inDollars.has(name) || perDollar.has(name),
    path: wanted => `/0/public/Ticker?pair=${pairsOf(wanted).map(([, { pair }]) => pair)}`,
    fullList: {
      path: '/0/public/Ticker',
      isNeeded: ({ status, text }) => status === 200 && text.includes('"EQuery:Unknown asset pair"'),
    },
    read: (response, wanted) => readTicker(response, pairsOf(wanted)),
  }
}

function readTicker(response: unknown, pairs: [name: string, pair: Pair][]): RateTable {
  const errors = valueAt(response, 'error')
  const result = valueAt(response, 'result')
  const error = Array.isArray(errors) ? errors.find(each => !/^W/.test(String(each))) : undefined
  if (error !== undefined) throw refusal(String(error))
  if (!Array.isArray(errors) || !isObject(result)) throw unexpectedResponse('Kraken')
  return toRateTable(
    pairs.flatMap(([name, { pair, result: alias }]) => {
      const ticker = [pair, alias].map(key => valueAt(result, key)).find(found => found !== undefined)
      return ticker === undefined ? [] : [{ name, unit: DOLLAR, price: priceOf(name, ticker) }]
    }),
  )
}

/** The error in a response. Kraken reports errors with status 200. */
function refusal(error: string): Error {
  if (/rate limit|too many requests/i.test(error)) return new BackoffError('reports too many requests', null)
  return new Error(`reported ${/^[\w:., -]{1,80}$/.test(error) ? `the error "${error}"` : 'an error'}`)
}
