import { registry } from '../../coins/registry.ts'
import type { Coin, ExchangeName } from '../../coins/types.ts'
import { binance } from './binance.ts'
import { coinbase } from './coinbase.ts'
import { coingecko } from './coingecko.ts'
import type { Exchange } from './exchange.ts'
import { kraken } from './kraken.ts'

/** All exchanges that Florin can read, by name in FLORIN_RATES. */
export const makeExchanges = (coins: readonly Coin[]): Record<ExchangeName, Exchange> => ({
  kraken: kraken(coins),
  coinbase: coinbase(coins),
  binance: binance(coins),
  coingecko: coingecko(coins),
})

export const exchanges = makeExchanges(registry.coins)
