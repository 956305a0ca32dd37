import type { Coin } from '../../coins/types.ts'
import { currencies } from '../../domain/currency.ts'
import { at, isObject } from '../exact-json.ts'
import { ONE, over, readDecimal } from '../fraction.ts'
import { DOLLAR, tableOf } from '../rate-table.ts'
import { type Exchange, tickersAt, unlike } from './exchange.ts'

/** Codes that its list may use for a coin with the same ticker. */
const ambiguous = ['BOB', 'ERN', 'MNT']

const fiat = new Map(
  currencies.filter(code => code !== DOLLAR && !ambiguous.includes(code)).map(code => [code, code]),
)

/** One response says how much of everything a dollar buys. */
export function coinbase(coins: readonly Coin[]): Exchange {
  const symbols = tickersAt(coins, 'coinbase')
  return {
    lists: name => symbols.has(name) || fiat.has(name),
    question: () => `/v2/exchange-rates?currency=${DOLLAR}`,
    read(answer, wanted) {
      const rates = at(answer, 'data', 'rates')
      if (!isObject(rates) || at(answer, 'data', 'currency') !== DOLLAR) throw unlike('Coinbase')
      const pairs = [...[...symbols].filter(([name]) => wanted.includes(name)), ...fiat]
      return tableOf(
        pairs.flatMap(([name, symbol]) => {
          const bought = at(rates, symbol)
          const amount = readDecimal(bought)
          return bought === undefined ? [] : [{ name, unit: DOLLAR, price: amount && over(ONE, amount) }]
        }),
      )
    },
  }
}
