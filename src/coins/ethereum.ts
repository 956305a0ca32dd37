import { evmWallet } from './evm-wallet.ts'
import { filled } from './icon.ts'
import type { Coin, EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

export const ether: Coin = {
  ticker: 'ETH',
  exchanges: {
    kraken: { pair: 'ETHUSD', result: 'XETHZUSD' },
    coinbase: 'ETH',
    binance: 'ETHUSDT',
    coingecko: 'ethereum',
  },
  sandboxUsd: '3000',
  icon: filled('M12 1l7 11-7 4-7-4zM5 14l7 9 7-9-7 4z'),
}

export const ethereum = {
  id: 'ethereum',
  family: 'evm',
  name: 'Ethereum',
  wallet: evmWallet,
  // Finality comes after about 13 minutes.
  confirmations: 12,
  finality: true,
  blockTimeMs: 12_000,
  endpoints: { setting: 'ethereum', protocols: ['jsonrpc'] },
  explorer: {
    address: 'https://etherscan.io/address/{address}',
    transaction: 'https://etherscan.io/tx/{txId}',
  },
  chainId: 1,
  assets: [
    {
      id: 'ethereum/eth',
      coin: ether,
      decimals: 18,
      quoteDecimals: 8,
      minimum: 1n,
      contract: null,
      paygatePath: 'eth',
    },
    {
      id: 'ethereum/usdc',
      coin: usdc,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      paygatePath: 'erc20/usdc',
    },
    {
      id: 'ethereum/usdt',
      coin: usdt,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      paygatePath: 'erc20/usdt',
    },
  ],
} as const satisfies EvmChain
