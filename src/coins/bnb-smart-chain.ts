import { evmWallet } from './evm-wallet.ts'
import { filled } from './icon.ts'
import type { Coin, EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

const bnb: Coin = {
  ticker: 'BNB',
  exchanges: {
    kraken: { pair: 'BNBUSD', result: 'BNBUSD' },
    coinbase: 'BNB',
    binance: 'BNBUSDT',
    coingecko: 'binancecoin',
  },
  sandboxUsd: '600',
  icon: filled(
    'M12 2l5 5-2 2-3-3-3 3-2-2M4 9l3 3-3 3-3-3zM12 9l3 3-3 3-3-3zM20 9l3 3-3 3-3-3zM7 17l2-2 3 3 3-3 2 2-5 5',
  ),
}

export const bnbSmartChain = {
  id: 'bsc',
  family: 'evm',
  name: 'BNB Smart Chain',
  wallet: evmWallet,
  // Finality comes after seconds.
  confirmations: 15,
  finality: true,
  blockTimeMs: 750,
  endpoints: { setting: 'bsc', protocols: ['jsonrpc'] },
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
      // Binance issues both tokens with 18 decimals, unlike on all other chains.
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
