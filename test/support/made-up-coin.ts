import { xpub } from '../../src/coins/key-prefixes.ts'
import type { BitcoinChain, Coin } from '../../src/coins/types.ts'
import type { WalletNetwork } from '../../src/domain/asset.ts'

const fth: Coin = {
  ticker: 'FTH',
  name: 'Feathercoin',
  exchanges: {
    kraken: { pair: 'FTHUSD', result: 'XFTHZUSD' },
    coinbase: 'FTH',
    binance: 'FTHUSDT',
    coingecko: 'feathercoin',
  },
  sandboxUsd: '0.5',
  icon: { color: '#336699', path: 'M8 8h16v16H8z' },
}

/** A made-up coin like Bitcoin. Its network is not in the API's list. */
export const madeUp = {
  id: 'feather',
  family: 'bitcoin',
  name: 'Feather',
  wallet: {
    network: 'feather' as WalletNetwork,
    address: {
      kind: 'bitcoin',
      p2pkh: [0x0e],
      p2sh: [[0x60]],
      segwit: 'fc',
      hasTaprootAccounts: false,
      cashAddr: null,
    },
    accountKeys: {
      prefixes: [xpub, { name: 'Fpub', version: 0x0488bc26, script: 'p2wpkh' }],
      path: "m/84'/8'/0'",
      hasRootWallets: true,
    },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'feathercoin' },
  },
  confirmations: 5,
  finality: false,
  blockTimeMs: 60_000,
  endpoints: { setting: 'feather', protocols: ['blockbook', 'core'] },
  icon: fth.icon,
  tokenStandard: null,
  usual: { feeUsd: '0.01', seconds: 300 },
  explorer: {
    address: 'https://feather.example/address/{address}',
    transaction: 'https://feather.example/tx/{txId}',
  },
  genesis: 'fdbe99b90c90bae7505796461471d89ae8388ab953997aa06a355bbda8d915cb',
  checkpoint: null,
  blockbookNames: ['feathercoin', 'fth'],
  staleMs: 2 * 3600_000,
  assets: [
    {
      id: 'feather',
      coin: fth,
      decimals: 8,
      quoteDecimals: 6,
      minimum: 5460n,
      contract: null,
      paygatePath: 'fth',
    },
  ],
} as const satisfies BitcoinChain
