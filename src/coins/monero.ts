import { outlined } from './icon.ts'
import type { Coin, OtherChain } from './types.ts'

const xmr: Coin = {
  ticker: 'XMR',
  exchanges: {
    kraken: { pair: 'XMRUSD', result: 'XXMRZUSD' },
    coinbase: null,
    binance: null,
    coingecko: 'monero',
  },
  sandboxUsd: '160',
  icon: outlined('M2 17h5V8l5 5 5-5v9h5M4 7a9.5 9.5 0 0 1 16 0'),
}

export const monero = {
  id: 'xmr',
  family: 'monero',
  name: 'Monero',
  wallet: {
    network: 'xmr',
    address: { kind: 'monero' },
    accountKeys: {
      instead:
        'Monero wallets have no extended public key. Use the primary address of the wallet and its private ' +
        'view key, which can see payments but cannot spend them.',
    },
    // Without the view key no payment can be seen, on any address.
    sources: ['viewkey'],
    paymentUri: { standard: 'monero' },
  },
  // Monero's own wallets cannot spend a payment before ten blocks either.
  confirmations: 10,
  finality: false,
  blockTimeMs: 120_000,
  endpoints: { setting: 'monero', protocols: ['monerod'] },
  explorer: { address: null, transaction: 'https://xmrchain.net/tx/{txId}' },
  assets: [
    {
      id: 'xmr',
      coin: xmr,
      decimals: 12,
      quoteDecimals: 8,
      minimum: 1n,
      contract: null,
      paygatePath: 'xmr',
    },
  ],
} as const satisfies OtherChain
