import { evmWallet } from './evm-wallet.ts'
import type { Coin, EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

const bnb: Coin = {
  ticker: 'BNB',
  name: 'BNB',
  exchanges: {
    kraken: { pair: 'BNBUSD', result: 'BNBUSD' },
    coinbase: 'BNB',
    binance: 'BNBUSDT',
    coingecko: 'binancecoin',
  },
  sandboxUsd: '600',
  icon: {
    color: '#f3ba2f',
    path: 'm12.1,14.4,3.9-3.9,3.9,4L22,12l-6-6-6.1,6.1zM6,16l2.3-2.3,2.2,2.3-2.2,2.3zm6.1,1.6,3.9,3.9,3.9-4L22,20l-6,6-6.1-6.1zm9.4-1.6,2.2-2.3L26,16l-2.3,2.3zm-3.2,0L16,18.3,13.7,16l.4-.4.2-.2,1.7-1.7z',
  },
}

export const bnbSmartChain = {
  id: 'bsc',
  family: 'evm',
  name: 'BNB Smart Chain',
  wallet: evmWallet,
  // The chain's finality takes seconds. `confirmations` counts only where a node does not report finality.
  confirmations: 15,
  finality: true,
  blockTimeMs: 750,
  endpoints: { setting: 'bsc', protocols: ['jsonrpc'] },
  icon: bnb.icon,
  tokenStandard: 'BEP20',
  usual: { feeUsd: '0.02', seconds: 10 },
  explorer: {
    address: 'https://bscscan.com/address/{address}',
    transaction: 'https://bscscan.com/tx/{txId}',
  },
  chainId: 56,
  assets: [
    {
      id: 'bsc/bnb',
      coin: bnb,
      decimals: 18,
      quoteDecimals: 8,
      minimum: 1n,
      contract: null,
      paygatePath: 'bep20/bnb',
    },
    {
      id: 'bsc/usdc',
      coin: usdc,
      // Both tokens have 18 decimals on this chain, unlike on all others.
      decimals: 18,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
      paygatePath: 'bep20/usdc',
    },
    {
      id: 'bsc/usdt',
      coin: usdt,
      decimals: 18,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0x55d398326f99059fF775485246999027B3197955',
      paygatePath: 'bep20/usdt',
    },
  ],
} as const satisfies EvmChain
