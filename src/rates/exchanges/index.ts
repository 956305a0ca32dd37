import { binance } from './binance.ts'
import { coinbase } from './coinbase.ts'
import { coingecko } from './coingecko.ts'
import type { Exchange } from './exchange.ts'
import { kraken } from './kraken.ts'

/** Every exchange that is understood, by its name in FLORIN_RATES. */
export const exchanges = { kraken, coinbase, binance, coingecko } as const satisfies Record<string, Exchange>

export type ExchangeName = keyof typeof exchanges

export const isExchange = (name: string): name is ExchangeName => Object.hasOwn(exchanges, name)
