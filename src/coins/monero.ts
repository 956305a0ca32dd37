import type { Coin, OtherChain } from './types.ts'

const xmr: Coin = {
  ticker: 'XMR',
  name: 'Monero',
  exchanges: {
    kraken: { pair: 'XMRUSD', result: 'XXMRZUSD' },
    coinbase: null,
    binance: null,
    coingecko: 'monero',
  },
  sandboxUsd: '160',
  icon: {
    color: '#f26822',
    path: 'M16,5.2c6,0,10.8,4.9,10.8,10.9a11,11,0,0,1-.6,3.4H23v-9.1l-7,7-7-7v9H5.6a11,11,0,0,1-.6-3.3A11,11,0,0,1,16,5.2M14.4,19l1.6,1.6,1.6-1.6,3-3v5.7h4.6a11,11,0,0,1-9.2,5.2c-4,0-7.4-2.1-9.3-5.2h4.6v-5.8z',
  },
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
    // Payments to any address can only be seen with the view key.
    sources: ['viewkey'],
    paymentUri: { standard: 'monero' },
  },
  // Wallets cannot spend a payment before ten blocks either.
  confirmations: 10,
  finality: false,
  blockTimeMs: 120_000,
  endpoints: { setting: 'monero', protocols: ['monerod'] },
  icon: xmr.icon,
  tokenStandard: null,
  usual: { feeUsd: '0.01', seconds: 1200 },
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
