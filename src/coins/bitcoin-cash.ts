import { bitcoin } from './bitcoin.ts'
import { outlined } from './icon.ts'
import { xpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin } from './types.ts'

const bch: Coin = {
  ticker: 'BCH',
  exchanges: {
    kraken: { pair: 'BCHUSD', result: 'BCHUSD' },
    coinbase: 'BCH',
    binance: 'BCHUSDT',
    coingecko: 'bitcoin-cash',
  },
  sandboxUsd: '400',
  icon: outlined('M12 2a10 10 0 1 0 .1 0zM9 7h4a2.5 2.5 0 0 1 0 5H9zM9 12h5a2.5 2.5 0 0 1 0 5H9z'),
}

export const bitcoinCash = {
  id: 'bitcoincash',
  family: 'bitcoin',
  name: 'Bitcoin Cash',
  wallet: {
    network: 'bitcoincash',
    address: {
      kind: 'bitcoin',
      p2pkh: [0x00],
      p2sh: [[0x05]],
      segwit: null,
      cashAddr: 'bitcoincash',
    },
    accountKeys: { prefixes: [xpub], path: "m/44'/145'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'bitcoincash' },
  },
  // Bitcoin's miners could turn on this smaller chain, so that one block is not enough.
  confirmations: 2,
  finality: false,
  blockTimeMs: 600_000,
  endpoints: { setting: 'bitcoincash', protocols: ['esplora', 'blockbook', 'core'] },
  explorer: {
    address: 'https://blockchair.com/bitcoin-cash/address/{address}',
    transaction: 'https://blockchair.com/bitcoin-cash/transaction/{txId}',
  },
  genesis: bitcoin.genesis,
  // The first block that is neither on Bitcoin, nor on Bitcoin SV, nor on eCash.
  checkpoint: { height: 661_648, hash: '0000000000000000029e471c41818d24b8b74c911071c4ef0b4a0509f9b5a8ce' },
  blockbookNames: ['bitcoincash', 'bcash', 'bch'],
  staleMs: 6 * 3600_000,
  assets: [
    {
      id: 'bitcoincash',
      coin: bch,
      decimals: 8,
      quoteDecimals: 8,
      minimum: 546n,
      contract: null,
      paygatePath: 'bch',
    },
  ],
} as const satisfies BitcoinChain
