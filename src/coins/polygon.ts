import { evmWallet } from './evm-wallet.ts'
import type { Coin, EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

const pol: Coin = {
  ticker: 'POL',
  name: 'Polygon',
  exchanges: {
    kraken: { pair: 'POLUSD', result: 'POLUSD' },
    coinbase: 'POL',
    binance: 'POLUSDT',
    coingecko: 'polygon-ecosystem-token',
  },
  sandboxUsd: '0.5',
  icon: {
    color: '#6f41d8',
    path: 'M21,12.7q-.5-.3-1.2,0L17,14.3l-2,1.1-2.9,1.7q-.5.3-1.2,0l-2.3-1.3q-.6-.3-.6-1v-2.6q0-.7.6-1l2.2-1.3q.7-.3,1.3,0l2.2,1.2q.7.5.7,1v1.7l2-1V11a1,1,0,0,0-.7-1L12,7.6q-.5-.4-1.2,0L6.6,10a1,1,0,0,0-.6,1v5q0,.6.6,1l4.3,2.4q.5.3,1.2,0l2.9-1.6,2-1.2,2.8-1.6q.6-.3,1.3,0l2.2,1.3q.6.4.7,1v2.6q0,.6-.7,1l-2.2,1.3q-.6.3-1.3,0L17.6,21q-.6-.5-.6-1v-1.7l-2,1V21q0,.8.6,1l4.3,2.4q.5.4,1.2,0l4.3-2.3q.5-.4.6-1V16a1,1,0,0,0-.6-1z',
  },
}

export const polygon = {
  id: 'polygon',
  family: 'evm',
  name: 'Polygon',
  wallet: evmWallet,
  // The chain's finality takes seconds. `confirmations` counts only where a node does not report finality.
  confirmations: 40,
  finality: true,
  blockTimeMs: 2000,
  endpoints: { setting: 'polygon', protocols: ['jsonrpc'] },
  icon: pol.icon,
  tokenStandard: 'ERC20',
  usual: { feeUsd: '0.01', seconds: 10 },
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
