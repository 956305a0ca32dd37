import { outlined } from './icon.ts'
import { xpub, ypub, zpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin } from './types.ts'

const btc: Coin = {
  ticker: 'BTC',
  exchanges: {
    kraken: { pair: 'XBTUSD', result: 'XXBTZUSD' },
    coinbase: 'BTC',
    binance: 'BTCUSDT',
    coingecko: 'bitcoin',
  },
  sandboxUsd: '60000',
  icon: outlined('M7 5h7a3.5 3.5 0 0 1 0 7H7zM7 12h8a3.5 3.5 0 0 1 0 7H7zM10 2v3M14 2v3M10 19v3M14 19v3'),
}

export const bitcoin = {
  id: 'btc',
  family: 'bitcoin',
  name: 'Bitcoin',
  wallet: {
    network: 'btc',
    address: { kind: 'bitcoin', p2pkh: [0x00], p2sh: [[0x05]], segwit: 'bc', cashAddr: null },
    accountKeys: { prefixes: [xpub, ypub, zpub], path: "m/84'/0'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'bitcoin' },
  },
  // Bitcoin has no finality. One block is also the default of BTCPay Server.
  confirmations: 1,
  finality: false,
  blockTimeMs: 600_000,
  endpoints: { setting: 'bitcoin', protocols: ['esplora', 'blockbook', 'core'] },
  explorer: {
    address: 'https://mempool.space/address/{address}',
    transaction: 'https://mempool.space/tx/{txId}',
  },
  genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  // The halving of 2024, after all forks that had a market.
  checkpoint: { height: 840_000, hash: '0000000000000000000320283a032748cef8227873ff4872689bf23f1cda83a5' },
  blockbookNames: ['bitcoin', 'btc'],
  staleMs: 6 * 3600_000,
  assets: [
    {
      id: 'btc',
      coin: btc,
      decimals: 8,
      quoteDecimals: 8,
      minimum: 546n,
      contract: null,
      paygatePath: 'btc',
    },
  ],
} as const satisfies BitcoinChain
