import { bitcoin } from './bitcoin.ts'
import { xpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin } from './types.ts'

const bch: Coin = {
  ticker: 'BCH',
  name: 'Bitcoin Cash',
  exchanges: {
    kraken: { pair: 'BCHUSD', result: 'BCHUSD' },
    coinbase: 'BCH',
    binance: 'BCHUSDT',
    coingecko: 'bitcoin-cash',
  },
  sandboxUsd: '400',
  icon: {
    color: '#0ac18e',
    path: 'M21.2,10.5c-.8-2-2.7-2.1-5-1.7L15.4,6l-1.7.5.8,2.7-1.4.5-.8-2.8-1.7.5.8,2.8-1,.3-2.4.7.5,1.8,1.2-.3q1-.2,1.2.4l1,3.2h.1-.1l1.3,4.5q.1.5-.5.8l-1.3.3.3,2.2,2.2-.7,1.2-.3.8,2.9,1.8-.5-.8-2.9,1.3-.3.8,2.8,1.7-.5-.8-2.9c2.9-1,4.7-2.3,4.1-5-.4-2.3-1.7-3-3.4-2.9q1.3-1.1.6-3.3m-.6,6.8c.6,2.1-3.1,3-4.3,3.3l-1-3.8c1-.3,4.6-1.7,5.3.5m-2.4-5c.6,1.8-2.5,2.5-3.5,2.8l-1-3.4c1-.3,4-1.5,4.5.5',
  },
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
      hasTaprootAccounts: false,
      cashAddr: 'bitcoincash',
    },
    accountKeys: { prefixes: [xpub], path: "m/44'/145'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'bitcoincash' },
  },
  // One block is not enough, since Bitcoin's miners have the power to replace blocks of this smaller chain.
  confirmations: 2,
  finality: false,
  blockTimeMs: 600_000,
  endpoints: { setting: 'bitcoincash', protocols: ['esplora', 'blockbook', 'core'] },
  icon: bch.icon,
  tokenStandard: null,
  usual: { feeUsd: '0.01', seconds: 1200 },
  explorer: {
    address: 'https://blockchair.com/bitcoin-cash/address/{address}',
    transaction: 'https://blockchair.com/bitcoin-cash/transaction/{txId}',
  },
  genesis: bitcoin.genesis,
  // The first block that only Bitcoin Cash has: it is not on Bitcoin, Bitcoin SV or eCash.
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
