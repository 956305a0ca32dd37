import { evmWallet } from './evm-wallet.ts'
import { outlined } from './icon.ts'
import type { Coin, EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

const pol: Coin = {
  ticker: 'POL',
  exchanges: {
    kraken: { pair: 'POLUSD', result: 'POLUSD' },
    coinbase: 'POL',
    binance: 'POLUSDT',
    coingecko: 'polygon-ecosystem-token',
  },
  sandboxUsd: '0.5',
  icon: outlined('M8 6l5 3v6l-5 3-5-3V9zM13 9l4-3 4 3v6l-4 3-4-3'),
}

export const polygon = {
  id: 'polygon',
  family: 'evm',
  name: 'Polygon',
  wallet: evmWallet,
  // Finality comes after seconds.
  confirmations: 40,
  finality: true,
  blockTimeMs: 2000,
  endpoints: { setting: 'polygon', protocols: ['jsonrpc'] },
  explorer: {
    address: 'https://polygonscan.com/address/{address}',
    transaction: 'https://polygonscan.com/tx/{txId}',
  },
  chainId: 137,
  assets: [
    {
      id: 'polygon/pol',
      coin: pol,
      decimals: 18,
      quoteDecimals: 8,
      minimum: 1n,
      contract: null,
      paygatePath: 'polygon/pol',
    },
    {
      id: 'polygon/usdc',
      coin: usdc,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      paygatePath: 'polygon/usdc',
    },
    {
      id: 'polygon/usdt',
      coin: usdt,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
      paygatePath: 'polygon/usdt',
    },
  ],
} as const satisfies EvmChain
