import { outlined } from './icon.ts'
import { xpub } from './key-prefixes.ts'
import type { Coin, OtherChain } from './types.ts'
import { usdt } from './usdt.ts'

const trx: Coin = {
  ticker: 'TRX',
  exchanges: {
    kraken: { pair: 'TRXUSD', result: 'TRXUSD' },
    coinbase: null,
    binance: 'TRXUSDT',
    coingecko: 'tron',
  },
  sandboxUsd: '0.2',
  icon: outlined('M3 4l14 3 4 4-10 10zM3 4l9 7-1 10M17 7l-5 4 9 0'),
}

export const tron = {
  id: 'trc20',
  family: 'tron',
  name: 'TRON',
  wallet: {
    network: 'trc20',
    address: { kind: 'tron' },
    accountKeys: { prefixes: [xpub], path: "m/44'/195'/0'", hasRootWallets: false },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'tron' },
  },
  // Two thirds of the producers have confirmed a block after 19, about a minute: its solid block.
  confirmations: 19,
  finality: true,
  blockTimeMs: 3000,
  endpoints: { setting: 'tron', protocols: ['trongrid', 'jsonrpc'], coinProtocols: ['trongrid'] },
  explorer: {
    address: 'https://tronscan.org/#/address/{address}',
    transaction: 'https://tronscan.org/#/transaction/{txId}',
  },
  assets: [
    {
      id: 'trc20/trx',
      coin: trx,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: null,
      paygatePath: 'trx',
    },
    {
      id: 'trc20/usdt',
      coin: usdt,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      paygatePath: 'trc20/usdt',
    },
  ],
} as const satisfies OtherChain
