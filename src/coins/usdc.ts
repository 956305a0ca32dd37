import { outlined } from './icon.ts'
import type { Coin } from './types.ts'

/** Coinbase redeems USDC for a dollar, so that it costs a dollar there even when other markets pay less. */
export const usdc: Coin = {
  ticker: 'USDC',
  exchanges: {
    kraken: { pair: 'USDCUSD', result: 'USDCUSD' },
    coinbase: 'USDC',
    binance: 'USDCUSDT',
    coingecko: 'usd-coin',
  },
  sandboxUsd: '1',
  icon: outlined('M12 2a10 10 0 1 0 .1 0zM15 9c0-3-6-3-6 0s6 3 6 6-6 3-6 0M12 5v2M12 17v2'),
}
