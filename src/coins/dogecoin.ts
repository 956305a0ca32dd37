import { xpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin, KeyPrefix } from './types.ts'

const dgub: KeyPrefix = { name: 'dgub', version: 0x02facafd, script: null }

const doge: Coin = {
  ticker: 'DOGE',
  name: 'Dogecoin',
  exchanges: {
    kraken: { pair: 'XDGUSD', result: 'XDGUSD' },
    coinbase: 'DOGE',
    binance: 'DOGEUSDT',
    coingecko: 'dogecoin',
  },
  sandboxUsd: '0.16',
  icon: {
    color: '#c3a634',
    path: 'M13.2,14.6h4.4V17h-4.4v4.8H16q1.6,0,2.6-.4t1.6-1.2a4,4,0,0,0,.8-1.8l.2-2.3-.2-2.3a4,4,0,0,0-.8-1.8q-.6-.8-1.6-1.2t-2.6-.4h-2.8zM10.5,17H9v-2.3h1.5V8H17q1.8,0,3.2.6t2.1,1.7q.9,1.2,1.3,2.6T24,16a12,12,0,0,1-.4,3.1q-.4,1.4-1.3,2.6-.7,1-2.1,1.7T17,24h-6.5z',
  },
}

export const dogecoin = {
  id: 'doge',
  family: 'bitcoin',
  name: 'Dogecoin',
  wallet: {
    network: 'doge',
    address: {
      kind: 'bitcoin',
      p2pkh: [0x1e],
      p2sh: [[0x16]],
      segwit: null,
      hasTaprootAccounts: false,
      cashAddr: null,
    },
    accountKeys: { prefixes: [dgub, xpub], path: "m/44'/3'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'dogecoin' },
  },
  // Six blocks take about six minutes. Most shops wait that long too.
  confirmations: 6,
  finality: false,
  blockTimeMs: 60_000,
  endpoints: { setting: 'dogecoin', protocols: ['esplora', 'blockbook', 'core'] },
  icon: doge.icon,
  tokenStandard: null,
  usual: { feeUsd: '0.05', seconds: 360 },
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
