import { xpub } from './key-prefixes.ts'
import type { Coin, OtherChain } from './types.ts'
import { usdt } from './usdt.ts'

const trx: Coin = {
  ticker: 'TRX',
  name: 'TRON',
  exchanges: {
    kraken: { pair: 'TRXUSD', result: 'TRXUSD' },
    coinbase: null,
    binance: 'TRXUSDT',
    coingecko: 'tron',
  },
  sandboxUsd: '0.2',
  icon: {
    color: '#ef0027',
    path: 'M22,10,7.4,7.2l7.6,19,10.6-12.8zm-.3,1,2.2,2.2-6,1zm-5.1,3-6.4-5.2,10.4,1.9zm-.5,1-1,8.6L9.5,9.5zm1,.4,6.7-1.2-7.7,9.4z',
  },
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
  // A block is solid after 19 blocks, about a minute, when two thirds of the producers have confirmed it.
  confirmations: 19,
  finality: true,
  blockTimeMs: 3000,
  endpoints: { setting: 'tron', protocols: ['trongrid', 'jsonrpc'], coinProtocols: ['trongrid'] },
  icon: trx.icon,
  tokenStandard: 'TRC20',
  usual: { feeUsd: '2', seconds: 60 },
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
