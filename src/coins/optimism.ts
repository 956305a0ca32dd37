import { ether } from './ethereum.ts'
import { evmWallet } from './evm-wallet.ts'
import type { EvmChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

export const optimism = {
  id: 'optimism',
  family: 'evm',
  name: 'Optimism',
  wallet: evmWallet,
  // Optimism's finality follows Ethereum's and takes 20 minutes or more, which is too long at a till. A
  // payment counts as settled after about a minute of blocks, which means trusting the chain's sequencer.
  confirmations: 40,
  finality: false,
  blockTimeMs: 2000,
  endpoints: { setting: 'optimism', protocols: ['jsonrpc'] },
  icon: {
    color: '#ff0420',
    path: 'M11.2,11a5,5,0,1,0,0,10,5,5,0,0,0,0-10m0,2.6a2.4,2.4,0,1,1,0,4.8,2.4,2.4,0,0,1,0-4.8M18,11h4.6a3.6,3.6,0,0,1,0,7.2h-2V21H18zm2.6,2.3v2.6h1.8a1.3,1.3,0,0,0,0-2.6z',
  },
  tokenStandard: 'ERC20',
  usual: { feeUsd: '0.01', seconds: 80 },
  explorer: {
    address: 'https://optimistic.etherscan.io/address/{address}',
    transaction: 'https://optimistic.etherscan.io/tx/{txId}',
  },
  chainId: 10,
  assets: [
    {
      id: 'optimism/eth',
      coin: ether,
      decimals: 18,
      quoteDecimals: 8,
      minimum: 1n,
      contract: null,
      paygatePath: 'optimism/eth',
    },
    {
      id: 'optimism/usdc',
      coin: usdc,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
      paygatePath: null,
    },
    {
      id: 'optimism/usdt',
      coin: usdt,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
      paygatePath: null,
    },
  ],
} as const satisfies EvmChain
