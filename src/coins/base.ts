import { ether } from './ethereum.ts'
import { evmWallet } from './evm-wallet.ts'
import type { EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

export const base = {
  id: 'base',
  family: 'evm',
  name: 'Base',
  wallet: evmWallet,
  // Base's finality follows Ethereum's and takes 20 minutes or more, which is too long at a till. A payment
  // counts as settled after about a minute of blocks, which means trusting the chain's sequencer.
  confirmations: 40,
  finality: false,
  blockTimeMs: 2000,
  endpoints: { setting: 'base', protocols: ['jsonrpc'] },
  icon: {
    color: '#0052ff',
    path: 'M16,26a10,10,0,1,0-9.9-11.2h13v2.4h-13A10,10,0,0,0,16,26',
  },
  tokenStandard: 'ERC20',
  usual: { feeUsd: '0.01', seconds: 80 },
  explorer: {
    address: 'https://basescan.org/address/{address}',
    transaction: 'https://basescan.org/tx/{txId}',
  },
  chainId: 8453,
  assets: [
    {
      id: 'base/eth',
      coin: ether,
      decimals: 18,
      quoteDecimals: 8,
      minimum: 1n,
      contract: null,
      paygatePath: 'base/eth',
    },
    {
      id: 'base/usdc',
      coin: usdc,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      paygatePath: 'base/usdc',
    },
    {
      id: 'base/usdt',
      coin: usdt,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      // Tether issues no USDT on Base. This token was bridged from Ethereum by Optimism's standard bridge.
      contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
      paygatePath: null,
    },
  ],
} as const satisfies EvmChain
