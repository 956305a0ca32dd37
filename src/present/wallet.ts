import type { WalletNetwork } from '../domain/asset.ts'
import { formatTimestamp } from '../domain/timestamp.ts'
import type { Wallet } from '../domain/wallet.ts'

/** The payout wallets of a merchant. They are always the merchant's own, because Florin never holds money. */
export const presentWallet = (wallet: Wallet, configuredCryptoNetworks: WalletNetwork[]) => ({
  configured: wallet.addresses.evm !== undefined,
  payoutWallet: wallet.addresses.evm ?? '',
  cryptoWallets: wallet.addresses,
  configuredCryptoNetworks,
  walletType: 'custom' as const,
  orderWalletOverrideEnabled: wallet.orderWalletOverride,
  includeCrypto: wallet.includeCrypto,
  createdAt: formatTimestamp(wallet.createdAt),
  updatedAt: formatTimestamp(wallet.updatedAt),
})
