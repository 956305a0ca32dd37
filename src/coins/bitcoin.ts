import { xpub, ypub, zpub } from './key-prefixes.ts'
import type { BitcoinChain, Coin } from './types.ts'

const btc: Coin = {
  ticker: 'BTC',
  name: 'Bitcoin',
  exchanges: {
    kraken: { pair: 'XBTUSD', result: 'XXBTZUSD' },
    coinbase: 'BTC',
    binance: 'BTCUSDT',
    coingecko: 'bitcoin',
  },
  sandboxUsd: '60000',
  icon: {
    color: '#f7931a',
    path: 'M23.2,14c.3-2-1.3-3.2-3.5-4l.7-2.8-1.7-.4-.7,2.7-1.4-.3.7-2.8-1.7-.4-.7,2.8-1.1-.2-2.4-.6-.5,1.8,1.3.3q1,.4.8,1l-.8,3.3h.2-.2L11,18.9q-.1.4-.8.4L9,19l-.8,2,2.2.6,1.2.3-.7,2.8,1.7.5.8-2.9,1.3.4-.7,2.8,1.8.4.7-2.8c3,.5,5.1.3,6-2.3.8-2.2,0-3.4-1.5-4.2q1.8-.3,2.2-2.6m-4,5.6c-.5,2.1-4.1,1-5.3.7l1-3.9c1.1.3,4.9,1,4.3,3.2m.6-5.6c-.5,2-3.5,1-4.5.7l.9-3.4c1,.2,4,.7,3.6,2.7',
  },
}

export const bitcoin = {
  id: 'btc',
  family: 'bitcoin',
  name: 'Bitcoin',
  wallet: {
    network: 'btc',
    address: {
      kind: 'bitcoin',
      p2pkh: [0x00],
      p2sh: [[0x05]],
      segwit: 'bc',
      hasTaprootAccounts: true,
      cashAddr: null,
    },
    accountKeys: { prefixes: [xpub, ypub, zpub], path: "m/84'/0'/0'", hasRootWallets: true },
    sources: ['xpub', 'pool', 'shared'],
    paymentUri: { standard: 'bip21', scheme: 'bitcoin' },
  },
  // One confirmation, which is also the default of BTCPay Server. The chain has no finality.
  confirmations: 1,
  finality: false,
  blockTimeMs: 600_000,
  endpoints: { setting: 'bitcoin', protocols: ['esplora', 'blockbook', 'core'] },
  icon: btc.icon,
  tokenStandard: null,
  usual: { feeUsd: '1', seconds: 600 },
  explorer: {
    address: 'https://mempool.space/address/{address}',
    transaction: 'https://mempool.space/tx/{txId}',
  },
  genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  // The block of the 2024 halving. All forks of Bitcoin that had a market split off earlier.
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
