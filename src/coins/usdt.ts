import type { Coin } from './types.ts'

/** Binance has no price of USDT, since it prices everything in USDT. */
export const usdt: Coin = {
  ticker: 'USDT',
  name: 'Tether',
  exchanges: {
    kraken: { pair: 'USDTUSD', result: 'USDTZUSD' },
    coinbase: 'USDT',
    binance: null,
    coingecko: 'tether',
  },
  sandboxUsd: '1',
  icon: {
    color: '#26a17b',
    path: 'M18,17.4h-4c-3.9-.2-6.8-.9-6.8-1.7s3-1.5,6.8-1.6v2.6h4v-2.6c3.8.1,6.7.8,6.7,1.6s-2.9,1.5-6.8,1.7m0-3.6v-2.4h5.4V7.8H8.6v3.6H14v2.4c-4.4.2-7.7,1-7.7,2.1,0,1,3.3,2,7.7,2.1v7.6h4V18c4.3-.2,7.6-1,7.6-2,0-1.1-3.3-2-7.7-2.2',
  },
}
