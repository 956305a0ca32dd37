import type { WalletNetwork } from './asset.ts'

export type CryptoWallets = Partial<Record<WalletNetwork, string>>

/** The payout addresses of a merchant. */
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

/** Whether an order pays out to a wallet of its own, and not to the merchant's wallet or address source. */
export const usesOtherWallet = (wallet: Wallet, receivingWallet: string | null): boolean =>
  receivingWallet !== null &&
  receivingWallet !== wallet.addresses.evm &&
  receivingWallet.toLowerCase() !== wallet.addresses.evm?.toLowerCase()

/** Where an order is paid out to on one network; null if nowhere. It may have an EVM wallet of its own. */
export const payoutWallet = (
  { addresses }: Pick<Wallet, 'addresses'>,
  receivingWallet: string | null,
  network: WalletNetwork,
): string | null => (network === 'evm' ? receivingWallet : null) ?? addresses[network] ?? null

/** The payout wallets of one order: the merchant's, with the order's own EVM wallet when it has one. */
export const payoutWallets = (wallet: Wallet, receivingWallet: string | null): CryptoWallets =>
  receivingWallet === null ? wallet.addresses : { ...wallet.addresses, evm: receivingWallet }
