import type { Coin } from './types.ts'

/**
 * Coinbase always prices USDC at one dollar, since it redeems USDC at that price. Other markets may pay less.
 */
export const usdc: Coin = {
  ticker: 'USDC',
  name: 'USD Coin',
  exchanges: {
    kraken: { pair: 'USDCUSD', result: 'USDCUSD' },
    coinbase: 'USDC',
    binance: 'USDCUSDT',
    coingecko: 'usd-coin',
  },
  sandboxUsd: '1',
  icon: {
    color: '#2775ca',
    path: 'M20,18.1c0-2.1-1.3-2.8-3.8-3.1-1.8-.3-2.2-.8-2.2-1.6q0-1.4,1.8-1.4,1.6,0,2,1.3l.5.3h1a.4.4,0,0,0,.4-.5,3,3,0,0,0-2.8-2.5V9.1q0-.3-.5-.4h-.9q-.3,0-.5.4v1.4q-2.9.6-3,3,0,2.8,3.8,3.1,2.4.4,2.3,1.6-.2,1.6-2,1.7-2.2-.1-2.4-1.6,0-.4-.4-.4h-1a.4.4,0,0,0-.4.5q.3,2.3,3.2,3v1.4q0,.3.5.5h.9q.3,0,.5-.5v-1.5q2.8-.6,3-3.2m-7,6.4a9,9,0,0,1-5.4-11.7A9,9,0,0,1,13,7.4q.3,0,.4-.6V6q0-.4-.4-.5h-.3a11,11,0,0,0-7,13.8,11,11,0,0,0,7,7q.5.2.6-.2V25q0-.2-.3-.5m6.5-19q-.4,0-.6.3v1.1q0,.4.3.6a9,9,0,0,1,5.4,11.7,9,9,0,0,1-5.4,5.4q-.3,0-.4.6v.8q0,.4.4.5h.3a11,11,0,0,0,7-13.8,11,11,0,0,0-7-7.1',
  },
}
