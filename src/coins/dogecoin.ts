import { outlined } from './icon.ts'
import { xpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin, KeyPrefix } from './types.ts'

const dgub: KeyPrefix = { name: 'dgub', version: 0x02facafd, script: null }

const doge: Coin = {
  ticker: 'DOGE',
  exchanges: {
    kraken: { pair: 'XDGUSD', result: 'XDGUSD' },
    coinbase: 'DOGE',
    binance: 'DOGEUSDT',
    coingecko: 'dogecoin',
  },
  sandboxUsd: '0.16',
  icon: outlined('M8 4h4a8 8 0 0 1 0 16H8zM4 12h9'),
}

export const dogecoin = {
  id: 'doge',
  family: 'bitcoin',
  name: 'Dogecoin',
  wallet: {
    network: 'doge',
    address: { kind: 'bitcoin', p2pkh: [0x1e], p2sh: [[0x16]], segwit: null, cashAddr: null },
    accountKeys: { prefixes: [dgub, xpub], path: "m/44'/3'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'dogecoin' },
  },
  // A block a minute: six take as long as most shops wait for.
  confirmations: 6,
  finality: false,
  blockTimeMs: 60_000,
  endpoints: { setting: 'dogecoin', protocols: ['esplora', 'blockbook', 'core'] },
  explorer: {
    address: 'https://dogechain.info/address/{address}',
    transaction: 'https://dogechain.info/tx/{txId}',
  },
  genesis: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
  checkpoint: null,
  blockbookNames: ['dogecoin', 'doge'],
  staleMs: 2 * 3600_000,
  assets: [
    {
      id: 'doge',
      coin: doge,
      decimals: 8,
      quoteDecimals: 4,
      minimum: 1_000_000n,
      contract: null,
      paygatePath: 'doge',
    },
  ],
} as const satisfies BitcoinChain
