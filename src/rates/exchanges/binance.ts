import type { Coin } from '../../coins/types.ts'
import { readDecimal } from '../fraction.ts'
import { valueAt } from '../json.ts'
import { TETHER, toRateTable } from '../rate-table.ts'
import { type Exchange, tickersAt, unexpectedResponse } from './exchange.ts'

const fiat = new Map([['EUR', 'EURUSDT']])

/** The side with the conservative price: a higher price of a currency means a lower price of a coin in it. */
const sideOf = (name: string): string => (fiat.has(name) ? 'askPrice' : 'bidPrice')

/**
 * Binance has no dollars: its prices are in USDT, and USDT itself has no price. Reads the best offers,
 * because the last price of a pair that is no longer traded never changes again.
 */
export function binance(coins: readonly Coin[]): Exchange {
  const symbols = tickersAt(coins, 'binance')

  const pairsOf = (wanted: readonly string[]): [name: string, symbol: string][] => [
    ...[...symbols].filter(([name]) => wanted.includes(name)),
    ...fiat,
  ]

  return {
    lists: name => symbols.has(name) || fiat.has(name),
    path: wanted => {
      const requested = JSON.stringify(pairsOf(wanted).map(([, symbol]) => symbol))
      return `/api/v3/ticker/bookTicker?symbols=${encodeURIComponent(requested)}`
    },
    fullList: {
      path: '/api/v3/ticker/bookTicker',
      isNeeded: ({ status, text }) => status === 400 && /"code"\s*:\s*-1121\b/.test(text),
    },
    read(response, wanted) {
      if (!Array.isArray(response)) throw unexpectedResponse('Binance')
      const offers = new Map(response.map(offer => [valueAt(offer, 'symbol'), offer]))
      return toRateTable(
        pairsOf(wanted).flatMap(([name, symbol]) => {
          const offer = offers.get(symbol)
          return offer ? [{ name, unit: TETHER, price: readDecimal(valueAt(offer, sideOf(name))) }] : []
        }),
      )
    },
  }
}
