import { formatTimestamp } from '../domain/timestamp.ts'
import { configuredNetworks, type Wallet } from '../domain/wallet.ts'

/**
 * A merchant's wallets as spec 2.8 shows them. Florin holds no money: the wallets are always the merchant's
 * own.
 */
export const presentWallet = (wallet: Wallet) => ({
  configured: wallet.addresses.evm !== undefined,
  payoutWallet: wallet.addresses.evm ?? '',
  cryptoWallets: wallet.addresses,
  configuredCryptoNetworks: configuredNetworks(wallet),
  walletType: 'custom' as const,
  orderWalletOverrideEnabled: wallet.orderWalletOverride,
  includeCrypto: wallet.includeCrypto,
  createdAt: formatTimestamp(wallet.createdAt),
  updatedAt: formatTimestamp(wallet.updatedAt),
})
