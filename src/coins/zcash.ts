import { xpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin } from './types.ts'

const zec: Coin = {
  ticker: 'ZEC',
  name: 'Zcash',
  exchanges: {
    kraken: { pair: 'ZECUSD', result: 'XZECZUSD' },
    coinbase: 'ZEC',
    binance: 'ZECUSDT',
    coingecko: 'zcash',
  },
  sandboxUsd: '40',
  icon: {
    color: '#ecb244',
    path: 'M15.1,19.8h6.3v3.4h-3.9l.2,2.8h-3.3v-2.8h-3.9l.1-3.2q.3-.7,1-1.5l3.8-4.6,1.5-1.7h-6V8.8h3.5V6h3.2v2.7h3.9l-.1,3.3-1,1.5-3.9,4.5z',
  },
}

/** Zcash with transparent addresses. Shielded addresses cannot be watched without a key. */
export const zcash = {
  id: 'zec',
  family: 'bitcoin',
  name: 'Zcash',
  wallet: {
    network: 'zec',
    address: {
      kind: 'bitcoin',
      p2pkh: [0x1c, 0xb8],
      p2sh: [[0x1c, 0xbd]],
      segwit: null,
      hasTaprootAccounts: false,
      cashAddr: null,
    },
    accountKeys: { prefixes: [xpub], path: "m/44'/133'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'zcash' },
  },
  // Ten blocks, since little work protects a block. Exchanges wait as long or longer.
  confirmations: 10,
  finality: false,
  blockTimeMs: 75_000,
  endpoints: { setting: 'zcash', protocols: ['esplora', 'blockbook', 'core'] },
  icon: zec.icon,
  tokenStandard: null,
  usual: { feeUsd: '0.01', seconds: 750 },
  explorer: {
    address: 'https://blockchair.com/zcash/address/{address}',
    transaction: 'https://blockchair.com/zcash/transaction/{txId}',
  },
  genesis: '00040fe8ec8471911baa1db1266ea15dd06b4a8a5c453883c000b031973dce08',
  checkpoint: null,
  blockbookNames: ['zcash', 'zec'],
  staleMs: 2 * 3600_000,
  assets: [
    {
      id: 'zec',
      coin: zec,
      decimals: 8,
      quoteDecimals: 8,
      minimum: 10_000n,
      contract: null,
      paygatePath: 'zec',
    },
  ],
} as const satisfies BitcoinChain
