import { xpub, ypub, zpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin, KeyPrefix } from './types.ts'

const Ltub: KeyPrefix = { name: 'Ltub', version: 0x019da462, script: null }
const Mtub: KeyPrefix = { name: 'Mtub', version: 0x01b26ef6, script: 'p2sh-p2wpkh' }

const ltc: Coin = {
  ticker: 'LTC',
  name: 'Litecoin',
  exchanges: {
    kraken: { pair: 'LTCUSD', result: 'XLTCZUSD' },
    coinbase: 'LTC',
    binance: 'LTCUSDT',
    coingecko: 'litecoin',
  },
  sandboxUsd: '80',
  icon: {
    color: '#345d9d',
    path: 'm10.4,19.2-1.4.6.7-2.8,1.4-.6L13.2,8h5.1l-1.5,6.2,1.4-.6-.6,2.8-1.5.5-.8,3.5H23l-.9,3.6H9.3z',
  },
}

export const litecoin = {
  id: 'ltc',
  family: 'bitcoin',
  name: 'Litecoin',
  wallet: {
    network: 'ltc',
    // Old script addresses have Bitcoin's version, and are still accepted.
    address: {
      kind: 'bitcoin',
      p2pkh: [0x30],
      p2sh: [[0x32], [0x05]],
      segwit: 'ltc',
      hasTaprootAccounts: false,
      cashAddr: null,
    },
    accountKeys: { prefixes: [Ltub, Mtub, xpub, ypub, zpub], path: "m/84'/2'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'litecoin' },
  },
  // Two blocks, since less work protects a block than on Bitcoin, and blocks come four times as often.
  confirmations: 2,
  finality: false,
  blockTimeMs: 150_000,
  endpoints: { setting: 'litecoin', protocols: ['esplora', 'blockbook', 'core'] },
  icon: ltc.icon,
  tokenStandard: null,
  usual: { feeUsd: '0.01', seconds: 300 },
  explorer: {
    address: 'https://litecoinspace.org/address/{address}',
    transaction: 'https://litecoinspace.org/tx/{txId}',
  },
  genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  checkpoint: null,
  blockbookNames: ['litecoin', 'ltc'],
  staleMs: 2 * 3600_000,
  assets: [
    {
      id: 'ltc',
      coin: ltc,
      decimals: 8,
      quoteDecimals: 8,
      minimum: 5460n,
      contract: null,
      paygatePath: 'ltc',
    },
  ],
} as const satisfies BitcoinChain
