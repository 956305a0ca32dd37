import { evmWallet } from './evm-wallet.ts'
import type { Coin, EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

export const ether: Coin = {
  ticker: 'ETH',
  name: 'Ethereum',
  exchanges: {
    kraken: { pair: 'ETHUSD', result: 'XETHZUSD' },
    coinbase: 'ETH',
    binance: 'ETHUSDT',
    coingecko: 'ethereum',
  },
  sandboxUsd: '3000',
  icon: {
    color: '#627eea',
    path: 'M16.5,4,24,16.2l-7.5,4.4L9,16.2zM9,17.6l7.5,4.4,7.5-4.4L16.5,28z',
  },
}

export const ethereum = {
  id: 'ethereum',
  family: 'evm',
  name: 'Ethereum',
  wallet: evmWallet,
  // The chain's finality takes about 13 minutes. `confirmations` counts only where a node does not report
  // finality.
  confirmations: 12,
  finality: true,
  blockTimeMs: 12_000,
  endpoints: { setting: 'ethereum', protocols: ['jsonrpc'] },
  icon: ether.icon,
  tokenStandard: 'ERC20',
  usual: { feeUsd: '0.50', seconds: 780 },
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
