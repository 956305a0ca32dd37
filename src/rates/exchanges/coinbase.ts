import { currencies } from '../../domain/currency.ts'
import { at, isObject } from '../exact-json.ts'
import { ONE, over, readDecimal } from '../fraction.ts'
import { DOLLAR, tableOf } from '../rate-table.ts'
import { type Exchange, unlike } from './exchange.ts'

/** Coinbase redeems USDC for a dollar: that is what it costs there, also while other markets pay less. */
const coins = ['btc', 'ltc', 'doge', 'bch', 'zec', 'sol', 'eth', 'pol', 'bnb', 'usdc', 'usdt']

/** Codes that its list may give to a coin of the same ticker. */
const ambiguous = ['BOB', 'ERN', 'MNT']

const fiat = currencies.filter(code => code !== DOLLAR && !ambiguous.includes(code))

const known = new Set([...coins, ...fiat])

/** One answer tells how much of everything a dollar buys. */
export const coinbase: Exchange = {
  lists: name => known.has(name),
  question: () => `/v2/exchange-rates?currency=${DOLLAR}`,
  read(answer, wanted) {
    const rates = at(answer, 'data', 'rates')
    if (!isObject(rates) || at(answer, 'data', 'currency') !== DOLLAR) throw unlike('Coinbase')
    const names = [...coins.filter(coin => wanted.includes(coin)), ...fiat]
    return tableOf(
      names.flatMap(name => {
        const bought = at(rates, name.toUpperCase())
        const amount = readDecimal(bought)
        return bought === undefined ? [] : [{ name, unit: DOLLAR, price: amount && over(ONE, amount) }]
      }),
    )
  },
}
