import { Type } from '@sinclair/typebox'
import { listedNetworks, type WalletNetwork, walletNetworks } from '../../domain/asset.ts'
import { OneOf, Optional, StrictObject, UnicodeString } from '../schema/types.ts'

const address = Optional(UnicodeString())

const CryptoWallets = StrictObject(
  Object.fromEntries(walletNetworks.map(network => [network, address])) as Record<
    WalletNetwork,
    typeof address
  >,
)

const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

export const Wallet = Type.Object(
  {
    configured: Type.Boolean({ description: 'True when an EVM wallet is set for provider payouts.' }),
    payoutWallet: UnicodeString({ description: 'The EVM wallet; an empty string when none is set.' }),
    cryptoWallets: CryptoWallets,
    configuredCryptoNetworks: Type.Array(OneOf(listedNetworks), { uniqueItems: true }),
    walletType: OneOf(['custom', 'custodial']),
    orderWalletOverrideEnabled: Type.Boolean(),
    includeCrypto: Type.Boolean(),
    createdAt: UnicodeString(),
    updatedAt: UnicodeString(),
  },
  {
    title: 'ApiWallet',
    examples: [
      {
        configured: true,
        payoutWallet: evm,
        cryptoWallets: { evm, btc: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' },
        configuredCryptoNetworks: ['evm', 'btc'],
        walletType: 'custom',
        orderWalletOverrideEnabled: false,
        includeCrypto: true,
        createdAt: '2026-11-21T12:00:00.000Z',
        updatedAt: '2026-11-21T12:00:00.000Z',
      },
    ],
  },
)
