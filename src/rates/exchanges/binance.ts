import { at } from '../exact-json.ts'
import { readDecimal } from '../fraction.ts'
import { TETHER, tableOf } from '../rate-table.ts'
import { type Exchange, unlike } from './exchange.ts'

const coins = ['btc', 'ltc', 'doge', 'bch', 'zec', 'trx', 'sol', 'eth', 'pol', 'bnb', 'usdc']
const fiat = ['EUR']

const known = new Set([...coins, ...fiat])

const symbolOf = (name: string): string => name.toUpperCase() + TETHER

/** A currency that is dearer is the lower price of a coin in it. */
const sideOf = (name: string): string => (fiat.includes(name) ? 'askPrice' : 'bidPrice')

const namesOf = (wanted: readonly string[]): string[] => [
  ...coins.filter(coin => wanted.includes(coin)),
  ...fiat,
]

/**
 * Binance has no dollars: its prices are in tethers, and say nothing of what those are worth. The best offers
 * are asked for, and not the last price, which stays where it was for ever once a pair is no longer traded.
 */
export const binance: Exchange = {
  lists: name => known.has(name),
  question: wanted => {
    const symbols = JSON.stringify(namesOf(wanted).map(symbolOf))
    return `/api/v3/ticker/bookTicker?symbols=${encodeURIComponent(symbols)}`
  },
  whole: {
    path: '/api/v3/ticker/bookTicker',
    isNeeded: ({ status, text }) => status === 400 && /"code"\s*:\s*-1121\b/.test(text),
  },
  read(answer, wanted) {
    if (!Array.isArray(answer)) throw unlike('Binance')
    const offers = new Map(answer.map(offer => [at(offer, 'symbol'), offer]))
    return tableOf(
      namesOf(wanted).flatMap(name => {
        const offer = offers.get(symbolOf(name))
        return offer ? [{ name, unit: TETHER, price: readDecimal(at(offer, sideOf(name))) }] : []
      }),
    )
  },
}
