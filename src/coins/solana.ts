import type { Coin, OtherChain } from './types.ts'
import { usdc } from './usdc.ts'
import { usdt } from './usdt.ts'

const sol: Coin = {
  ticker: 'SOL',
  name: 'Solana',
  exchanges: {
    kraken: { pair: 'SOLUSD', result: 'SOLUSD' },
    coinbase: 'SOL',
    binance: 'SOLUSDT',
    coingecko: 'solana',
  },
  sandboxUsd: '150',
  icon: {
    color: '#9945ff',
    path: 'm10,19.7.3-.2h14.4a.3.3,0,0,1,.2.5l-2.8,2.8-.4.2H7.3a.3.3,0,0,1-.2-.5zm0-10.5.3-.2h14.4q.5.1.2.5l-2.8,2.8-.4.2H7.3A.3.3,0,0,1,7,12zm12,5.2-.3-.2H7.3a.3.3,0,0,0-.2.5l2.8,2.8.4.2h14.4a.3.3,0,0,0,.2-.5z',
  },
}

export const solana = {
  id: 'solana',
  family: 'solana',
  name: 'Solana',
  wallet: {
    network: 'solana',
    address: { kind: 'solana' },
    accountKeys: {
      instead:
        'Solana wallets have no extended public key, and need none: addresses are made from the payout ' +
        'wallet alone. Leave the key out.',
    },
    sources: ['seed', 'pool', 'shared'],
    paymentUri: { standard: 'solana-pay' },
  },
  // The chain's finality takes about 15 seconds. `confirmations` counts only where a node does not report
  // finality.
  confirmations: 32,
  finality: true,
  blockTimeMs: 400,
  endpoints: { setting: 'solana', protocols: ['jsonrpc'] },
  icon: sol.icon,
  tokenStandard: 'SPL',
  usual: { feeUsd: '0.01', seconds: 15 },
  explorer: {
    address: 'https://explorer.solana.com/address/{address}',
    transaction: 'https://explorer.solana.com/tx/{txId}',
  },
  assets: [
    {
      id: 'solana/sol',
      coin: sol,
      decimals: 9,
      quoteDecimals: 6,
      // The least that an account must hold to exist.
      minimum: 890_880n,
      contract: null,
      paygatePath: 'sol/sol',
    },
    {
      id: 'solana/usdc',
      coin: usdc,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      paygatePath: 'sol/usdc',
    },
    {
      id: 'solana/usdt',
      coin: usdt,
      decimals: 6,
      quoteDecimals: 6,
      minimum: 1n,
      contract: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
      paygatePath: 'sol/usdt',
    },
  ],
} as const satisfies OtherChain
