import { ether } from './ethereum.ts'
import { evmWallet } from './evm-wallet.ts'
import type { EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

export const arbitrum = {
  id: 'arbitrum',
  family: 'evm',
  name: 'Arbitrum',
  wallet: evmWallet,
  // Arbitrum's finality follows Ethereum's and takes 20 minutes or more, which is too long at a till. A
  // payment counts as settled after a minute of blocks (four a second), which means trusting the chain's
  // sequencer.
  confirmations: 240,
  finality: false,
  blockTimeMs: 250,
  endpoints: { setting: 'arbitrum', protocols: ['jsonrpc'] },
  icon: {
    color: '#2d5b8c',
    path: 'M13.8,7h4.4L25,25h-4.3L16,11.9,11.3,25H7zm2.4,9.6L19.3,25h-4.1l-1-2.9z',
  },
  tokenStandard: 'ERC20',
  usual: { feeUsd: '0.01', seconds: 60 },
  explorer: {
    address: 'https://arbiscan.io/address/{address}',
    transaction: 'https://arbiscan.io/tx/{txId}',
  },
  chainId: 42161,
  assets: [
    {
      id: 'arbitrum/eth',
      coin: ether,
      decimals: 18,
      quoteDecimals: 8,
      minimum: 1n,
      contract: null,
      paygatePath: 'arbitrum/eth',
    },
    {
      id: 'arbitrum/usdc',
      coin: usdc,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
      paygatePath: null,
    },
    {
      id: 'arbitrum/usdt',
      coin: usdt,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
      paygatePath: null,
    },
  ],
} as const satisfies EvmChain
