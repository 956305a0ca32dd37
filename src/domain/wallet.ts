import type { WalletNetwork } from './asset.ts'

export type CryptoWallets = Partial<Record<WalletNetwork, string>>

export interface Wallet {
  merchantId: string
  addresses: CryptoWallets
  includeCrypto: boolean
  orderWalletOverride: boolean
  createdAt: number
  updatedAt: number
}

export const evmAddressPattern = /^0x[0-9A-Fa-f]{40}$/

/** The wallet of a merchant that has not set one. */
export const emptyWallet = (merchantId: string, createdAt: number): Wallet => ({
  merchantId,
  addresses: {},
  includeCrypto: true,
  orderWalletOverride: false,
  createdAt,
  updatedAt: createdAt,
})

/**
 * True if an order has a payout wallet of its own, so that the merchant's wallet and address sources do not
 * apply.
 */
export const usesOtherWallet = (wallet: Wallet, receivingWallet: string | null): boolean =>
  receivingWallet !== null &&
  receivingWallet !== wallet.addresses.evm &&
  receivingWallet.toLowerCase() !== wallet.addresses.evm?.toLowerCase()

/**
 * The payout address of an order on one network; null if there is none. An order may have its own EVM wallet.
 */
export const payoutWallet = (
  { addresses }: Pick<Wallet, 'addresses'>,
  receivingWallet: string | null,
  network: WalletNetwork,
): string | null => (network === 'evm' ? receivingWallet : null) ?? addresses[network] ?? null

/** The payout wallets of an order: the merchant's, with the order's own EVM wallet if it has one. */
export const payoutWallets = (wallet: Wallet, receivingWallet: string | null): CryptoWallets =>
  receivingWallet === null ? wallet.addresses : { ...wallet.addresses, evm: receivingWallet }
