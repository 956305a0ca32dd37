import { outlined } from './icon.ts'
import type { Coin } from './types.ts'

/** Binance prices everything in USDT, so that it has no price for it. */
export const usdt: Coin = {
  ticker: 'USDT',
  exchanges: {
    kraken: { pair: 'USDTUSD', result: 'USDTZUSD' },
    coinbase: 'USDT',
    binance: null,
    coingecko: 'tether',
  },
  sandboxUsd: '1',
  icon: outlined('M5 5h14M12 5v16M12 10c-11 0-11 4 0 4s11-4 0-4'),
}
