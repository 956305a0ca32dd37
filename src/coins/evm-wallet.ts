import { xpub } from './key-prefixes.ts'
import type { WalletRules } from './types.ts'

/** One payout wallet serves all EVM chains: an account has the same address on each. */
export const evmWallet = {
  network: 'evm',
  address: { kind: 'evm' },
  accountKeys: { prefixes: [xpub], path: "m/44'/60'/0'", hasRootWallets: false },
  sources: ['xpub', 'pool', 'create2', 'shared'],
  paymentUri: { standard: 'erc681' },
} as const satisfies WalletRules
