import type { Coin } from '../../coins/types.ts'
import { currencies } from '../../domain/currency.ts'
import { ONE, over, readDecimal } from '../fraction.ts'
import { isObject, valueAt } from '../json.ts'
import { DOLLAR, toRateTable } from '../rate-table.ts'
import { type Exchange, tickersAt, unexpectedResponse } from './exchange.ts'

/** Codes of currencies that Coinbase may use for a coin with the same ticker. */
const ambiguous = ['BOB', 'ERN', 'MNT']

const fiat = new Map(
  currencies.filter(code => code !== DOLLAR && !ambiguous.includes(code)).map(code => [code, code]),
)

/** Coinbase says in a single response how much of each coin and currency a dollar buys. */
export function coinbase(coins: readonly Coin[]): Exchange {
  const symbols = tickersAt(coins, 'coinbase')
  return {
    lists: name => symbols.has(name) || fiat.has(name),
    path: () => `/v2/exchange-rates?currency=${DOLLAR}`,
    read(response, wanted) {
      const rates = valueAt(response, 'data', 'rates')
      if (!isObject(rates) || valueAt(response, 'data', 'currency') !== DOLLAR)
        throw unexpectedResponse('Coinbase')
      const pairs = [...[...symbols].filter(([name]) => wanted.includes(name)), ...fiat]
      return toRateTable(
        pairs.flatMap(([name, symbol]) => {
          const bought = valueAt(rates, symbol)
          const amount = readDecimal(bought)
          return bought === undefined ? [] : [{ name, unit: DOLLAR, price: amount && over(ONE, amount) }]
        }),
      )
    },
  }
}
